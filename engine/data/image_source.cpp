#include "engine/data/image_source.h"

#include <algorithm>
#include <span>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/core/text.h"
#include "engine/io/crc32.h"
#include "engine/io/image_resize.h"

namespace strata::data {
namespace {

constexpr std::uint32_t mixing_stream = 0x494D4158;  // apart from the layers' numbers
constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

void mix(std::vector<ImageFile>& files, std::uint64_t seed) {
    for (std::size_t i = files.size(); i > 1; --i) {
        const auto words = random::draw(seed, mixing_stream, 0, i);
        std::swap(files[i - 1], files[random::below(std::uint64_t{words[0]} << 32 | words[1], i)]);
    }
}

std::shared_ptr<Source> open_images(const layers::Config& config, const OpenOptions&) {
    const auto [height, width] = config.pair("size");
    ImageSource::Options options;
    options.height = height;
    options.width = width;
    options.channels = config.text("color_mode") == "grayscale" ? 1 : 3;
    options.crop = config.boolean("crop_to_aspect_ratio");
    options.seed = static_cast<std::uint64_t>(config.integer("seed"));
    return std::make_shared<ImageSource>(config.text("folder"), options);
}

}  // namespace

ImageSource::ImageSource(const std::filesystem::path& folder, const Options& options)
    : path_(folder),
      options_(options),
      shape_{options.height, options.width, options.channels},
      folder_(list_images(folder)) {
    if (folder_.files.empty())
        throw Error(ErrorCode::invalid_argument,
                    "holds no JPEG or PNG image that can be read" +
                        (folder_.left_out.empty() ? "" : ": " + names_of(folder_.left_out)),
                    folder.string(), "Choose a folder with one subfolder of images a class");
    mix(folder_.files, options.seed);
}

std::string ImageSource::description() const {
    const std::size_t out = folder_.left_out.size();
    return counted(size(), "image") + " " + std::to_string(options_.height) + " x " +
           std::to_string(options_.width) + (options_.channels == 1 ? "" : " x 3") + ", " +
           counted(classes(), "class", "classes") +
           (out == 0 ? "" : "; " + counted(std::ssize(folder_.left_out), "file") + " left out");
}

std::vector<std::string> ImageSource::warnings() const {
    std::vector<std::string> lines;
    if (const std::size_t out = folder_.left_out.size(); out > 0)
        lines.push_back(counted(out, "file is", "files are") +
                        " left out: " + names_of(folder_.left_out));
    const std::lock_guard lock(mutex_);
    if (const std::size_t count = replaced_.size(); count > 0)
        lines.push_back(counted(count, "file is", "files are") +
                        " damaged and replaced by others of the class: " + names_of(replaced_));
    return lines;
}

Json ImageSource::identity() const {
    std::uint32_t checksum = 0;
    for (const ImageFile& file : folder_.files) {
        const std::string text =
            file.name + '\0' + std::to_string(file.stamp.size) + '\0' + std::to_string(file.label);
        checksum = io::crc32(checksum, std::as_bytes(std::span(text)));
    }
    Json identity = counts_of(*this);
    identity["checksum"] = checksum;
    return identity;
}

// False where the image cannot be decoded, though the file is the one that was opened.
bool ImageSource::try_sample(std::size_t index, Desk& desk, std::uint8_t* out) const {
    const std::filesystem::path path = path_ / folder_.files[index].name;
    const io::InputFile file(path);
    if (file.stamp() != folder_.files[index].stamp) throw io::changed_error(path);
    try {
        if (file.size() > largest_file)
            throw Error(ErrorCode::format, "has " + io::byte_text(file.size()));
        desk.content.resize(file.size());
        file.read_at(0, desk.content);
        io::decode_image(desk.content, static_cast<int>(options_.channels), path.string(),
                         desk.image);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::format) throw;
        note_damage(index, error.message());
        return false;
    }
    const io::Image& image = desk.image;
    const io::ImageBox box = options_.crop ? io::centre_box(image, options_.height, options_.width)
                                           : io::ImageBox{0, 0, image.height, image.width};
    io::resize_image(image, box, options_.height, options_.width, out);
    return true;
}

void ImageSource::note_damage(std::size_t index, const std::string& reason) const {
    const std::string& name = folder_.files[index].name;
    const std::lock_guard lock(mutex_);
    const bool known = std::any_of(replaced_.begin(), replaced_.end(),
                                   [&](const LeftOut& file) { return file.name == name; });
    if (!known) replaced_.push_back({name, reason});
}

void ImageSource::read_sample(std::size_t index, Desk& desk, std::uint8_t* out) const {
    if (try_sample(index, desk, out)) return;
    const std::size_t count = folder_.files.size();
    for (std::size_t i = 1; i < count; ++i) {
        const std::size_t other = (index + i) % count;
        if (folder_.files[other].label == folder_.files[index].label &&
            try_sample(other, desk, out))
            return;
    }
    throw Error(ErrorCode::format, "is damaged, and no image of its class can take its place",
                (path_ / folder_.files[index].name).string(), "Remove the file or copy it again");
}

void ImageSource::read(const std::int64_t* indices, std::int64_t n, void* out,
                       std::int32_t* labels) const {
    auto* to = static_cast<std::uint8_t*>(out);
    Desk desk;
    for (std::int64_t i = 0; i < n; ++i, to += shape_.elements()) {
        if (indices[i] < 0 || indices[i] >= size())
            throw Error(ErrorCode::internal,
                        "sample " + std::to_string(indices[i]) + " of " + std::to_string(size()) +
                            " was asked for",
                        path_.string());
        const auto index = static_cast<std::size_t>(indices[i]);
        read_sample(index, desk, to);
        labels[i] = folder_.files[index].label;
    }
}

const SourceDescription& images() {
    static const SourceDescription description{
        .type = "images",
        .title = "Folder of images",
        .doc = "A folder with one subfolder of JPEG and PNG images a class, named as the class",
        .params = {path_param("folder", layers::ParamType::folder,
                              "The folder; its subfolders, sorted by name, are the classes"),
                   {.key = "size",
                    .type = layers::ParamType::pair,
                    .default_value = Json::array({64, 64}),
                    .doc = "Height and width in pixels that all images are brought to, bilinear "
                           "with antialiasing",
                    .minimum = 1,
                    .maximum = 4096},
                   {.key = "color_mode",
                    .type = layers::ParamType::choice,
                    .default_value = "rgb",
                    .doc = "Three channels, or one of luminance",
                    .choices = {"rgb", "grayscale"}},
                   {.key = "crop_to_aspect_ratio",
                    .type = layers::ParamType::boolean,
                    .default_value = false,
                    .doc = "Whether what sticks out of the shape of 'size' is cut off; else the "
                           "image is stretched"},
                   {.key = "seed",
                    .type = layers::ParamType::integer,
                    .default_value = 1,
                    .doc = "Seed that mixes the order of the files once, before the split",
                    .minimum = 0}},
        .open = open_images};
    return description;
}

}  // namespace strata::data
