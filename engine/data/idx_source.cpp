#include "engine/data/idx_source.h"

#include <algorithm>
#include <cstring>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/data/dataset.h"
#include "engine/io/bounded_reader.h"
#include "engine/io/byte_order.h"

namespace strata::data {
namespace {

constexpr std::int64_t largest_label = 65535;

Shape sample_shape_of(const Shape& shape) {
    const Shape sample = shape.without_batch();
    if (sample.rank() != 2) return sample;
    return {sample[0], sample[1], 1};
}

template <typename T>
std::vector<std::int32_t> widened(const std::vector<std::byte>& bytes) {
    std::vector<std::int32_t> labels(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        T value;
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        labels[i] = value;  // NOLINT(bugprone-signed-char-misuse): int8 holds numbers here
    }
    return labels;
}

std::vector<std::int32_t> labels_of(const io::Idx& idx, const std::string& where) {
    switch (idx.type) {
        case io::IdxType::uint8:
            return widened<std::uint8_t>(idx.bytes);
        case io::IdxType::int8:
            return widened<std::int8_t>(idx.bytes);
        case io::IdxType::int16:
            return widened<std::int16_t>(idx.bytes);
        case io::IdxType::int32:
            return widened<std::int32_t>(idx.bytes);
        case io::IdxType::float32:
        case io::IdxType::float64:
            break;
    }
    throw Error(ErrorCode::format, std::string("labels of type ") + io::name_of(idx.type), where,
                "Labels are whole numbers: uint8, int8, int16 or int32");
}

// The keys name either a data set or two files.
void check_idx(const layers::Config& config) {
    const bool files = !config.is_null("images") || !config.is_null("labels");
    if (!config.is_null("dataset")) {
        if (files)
            throw Error(ErrorCode::invalid_argument, "names a data set and files at once", "",
                        "Keep either 'dataset' and 'split', or 'images' and 'labels'");
        find_dataset(config.text("dataset"), "");
        if (!config.is_null("split"))
            dataset_files(find_dataset(config.text("dataset"), ""), config.text("split"), "");
        return;
    }
    if (!config.is_null("split"))
        throw Error(ErrorCode::invalid_argument, "'split' belongs to a 'dataset'", "",
                    R"(Add "dataset": "fashion-mnist", or remove 'split')");
    for (const char* key : {"images", "labels"})
        if (config.is_null(key))
            throw Error(ErrorCode::invalid_argument,
                        std::string("the path '") + key + "' is missing", "",
                        "Give the paths of two IDX files as 'images' and 'labels', or a 'dataset'");
}

std::shared_ptr<Source> open_idx(const layers::Config& config, const OpenOptions& options) {
    if (config.is_null("dataset"))
        return std::make_shared<IdxSource>(config.text("images"), config.text("labels"),
                                           std::vector<std::string>{}, options.cache);
    const Dataset& dataset = find_dataset(config.text("dataset"), options.where);
    const std::string split = config.is_null("split") ? "train" : config.text("split");
    const DatasetFiles files = dataset_files(dataset, split, options.where);
    require_installed(dataset, files, options.where);
    return std::make_shared<IdxSource>(files.images, files.labels, dataset.class_names,
                                       options.cache);
}

}  // namespace

const SourceDescription& idx() {
    static const SourceDescription description{
        .type = "idx",
        .title = "IDX",
        .doc =
            "A data set that a Debian package installs, or two files of MNIST's format: images "
            "and labels, plain or gzip",
        .params = {{.key = "dataset",
                    .type = layers::ParamType::text,
                    .default_value = nullptr,
                    .doc = "Name of an installed data set (fashion-mnist), in place of files",
                    .optional = true},
                   {.key = "split",
                    .type = layers::ParamType::text,
                    .default_value = nullptr,
                    .doc = "Part of the data set: train or test",
                    .optional = true},
                   path_param("images", layers::ParamType::file,
                              "File of the images, uint8 or float32", true),
                   path_param("labels", layers::ParamType::file,
                              "File of the labels, one whole number an image", true)},
        .check = check_idx,
        .open = open_idx};
    return description;
}

IdxSource::IdxSource(const std::filesystem::path& images, const std::filesystem::path& labels,
                     std::vector<std::string> class_names, bool cache)
    : name_(images.string()), class_names_(std::move(class_names)) {
    read_images(images, cache);
    read_labels(labels);
    if (static_cast<std::int64_t>(labels_.size()) != size_)
        throw Error(ErrorCode::invalid_argument,
                    counted(size_, "image") + ", but " + counted(std::ssize(labels_), "label") +
                        " in " + labels.string(),
                    images.string(), "Give the two files of the same part of the data set");
}

void IdxSource::read_images(const std::filesystem::path& path, bool cache) {
    auto file = std::make_unique<io::InputFile>(path);
    if (cache || io::is_gzip(*file)) {
        io::Idx idx = io::read_idx(path);
        take_shape(idx.type, idx.shape);
        images_ = std::move(idx.bytes);
        return;
    }
    const io::IdxHeader header = io::read_idx_header(*file);
    take_shape(header.type, header.shape);
    data_offset_ = header.data_offset;
    file_ = std::move(file);
}

void IdxSource::take_shape(io::IdxType type, const Shape& shape) {
    if (shape.rank() < 2)
        throw Error(ErrorCode::format, "holds a list of numbers, not images", name_,
                    "This looks like a file of labels: perhaps images and labels are exchanged");
    if (type != io::IdxType::uint8 && type != io::IdxType::float32)
        throw Error(ErrorCode::unsupported, std::string("samples of type ") + io::name_of(type),
                    name_, "Convert them to uint8 or float32");
    size_ = shape[0];
    sample_shape_ = sample_shape_of(shape);
    if (size_ == 0 || sample_shape_.elements() == 0)
        throw Error(ErrorCode::format, "holds no samples: its shape is " + shape.text(), name_,
                    "Choose a file with data");
    dtype_ = type == io::IdxType::uint8 ? DType::uint8 : DType::float32;
    sample_bytes_ = static_cast<std::size_t>(sample_shape_.elements()) * size_of(dtype_);
}

void IdxSource::read_labels(const std::filesystem::path& path) {
    const io::Idx idx = io::read_idx(path);
    if (idx.shape.rank() != 1)
        throw Error(ErrorCode::format,
                    "holds an array of shape " + idx.shape.text() + ", not labels", path.string(),
                    "A file of labels is a list with one whole number a sample");
    labels_ = labels_of(idx, path.string());
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        if (labels_[i] >= 0 && labels_[i] <= largest_label) continue;
        throw Error(ErrorCode::invalid_argument,
                    "label " + std::to_string(labels_[i]) + " of sample " + std::to_string(i) +
                        " is outside 0.." + std::to_string(largest_label),
                    path.string(), "Number the classes from 0");
    }
    classes_ = labels_.empty() ? 0 : 1 + *std::max_element(labels_.begin(), labels_.end());
    const auto named = static_cast<std::int64_t>(class_names_.size());
    if (named > 0 && classes_ > named)
        throw Error(ErrorCode::invalid_argument,
                    "label " + std::to_string(classes_ - 1) + " is outside the " +
                        counted(named, "class", "classes") + " of the data set",
                    path.string(), "Give the file of labels that belongs to the images");
}

std::string IdxSource::description() const {
    const bool image = sample_shape_.rank() == 3;
    std::string extents;
    for (int axis = 0; axis < sample_shape_.rank(); ++axis) {
        if (image && axis == 2 && sample_shape_[2] == 1) continue;
        extents += (extents.empty() ? "" : " x ") + std::to_string(sample_shape_[axis]);
    }
    return counted(size_, image ? "image" : "sample") + (image ? " " : " of ") + extents + ", " +
           counted(classes_, "class", "classes");
}

std::size_t IdxSource::memory_bytes() const {
    return images_.size() + labels_.size() * sizeof(std::int32_t);
}

void IdxSource::require_unchanged() const {
    if (file_) file_->require_unchanged();
}

void IdxSource::read_sample(std::int64_t index, std::byte* out) const {
    const auto row = static_cast<std::size_t>(index);
    if (!file_) {
        std::memcpy(out, images_.data() + row * sample_bytes_, sample_bytes_);
        return;
    }
    const std::span<std::byte> bytes(out, sample_bytes_);
    file_->read_at(data_offset_ + row * sample_bytes_, bytes);
    io::convert_order(bytes, size_of(dtype_), std::endian::big);
}

void IdxSource::read(const std::int64_t* indices, std::int64_t n, void* out,
                     std::int32_t* labels) const {
    auto* to = static_cast<std::byte*>(out);
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t index = indices[i];
        if (index < 0 || index >= size_)
            throw Error(ErrorCode::internal,
                        "sample " + std::to_string(index) + " of " + std::to_string(size_) +
                            " was asked for",
                        name_);
        read_sample(index, to);
        to += sample_bytes_;
        labels[i] = labels_[static_cast<std::size_t>(index)];
    }
}

}  // namespace strata::data
