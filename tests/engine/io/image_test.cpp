// JPEG and PNG against Pillow's pixels and Pillow's resized pixels, and images that are damaged.
#include "engine/io/image.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "engine/io/image_resize.h"
#include "engine/io/npy.h"
#include "engine/io/zip.h"
#include "tests/engine/io/zip_builder.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/memory_growth.h"
#include "tests/support/mutations.h"
#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using namespace strata::testing;

const std::string references = STRATA_SOURCE_DIR "/tests/references/data/";

Npy expected(const std::string& key) {
    static const ZipFile zip(std::make_shared<const InputFile>(references + "images.npz"));
    const ZipMember* member = zip.find(key + ".npy");
    EXPECT_NE(member, nullptr) << key;
    return parse_npy(zip.read(*member), key);
}

Image decoded(const std::string& content, int channels) {
    Image image;
    decode_image(std::as_bytes(std::span(content)), channels, "picture", image);
    return image;
}

int largest_difference(const std::vector<std::uint8_t>& pixels, const Npy& wanted) {
    EXPECT_EQ(pixels.size(), wanted.bytes.size());
    int largest = 0;
    for (std::size_t i = 0; i < std::min(pixels.size(), wanted.bytes.size()); ++i)
        largest = std::max(largest, std::abs(pixels[i] - wanted.as<std::uint8_t>()[i]));
    return largest;
}

std::vector<std::uint8_t> resized(const Image& image, const ImageBox& box, int height, int width) {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(height * width * image.channels));
    resize_image(image, box, height, width, out.data());
    return out;
}

ImageBox whole(const Image& image) {
    return {0, 0, image.height, image.width};
}

struct Picture {
    const char* file;
    int allowed;  // difference: two versions of libjpeg, two roundings of inks
};

const Picture pictures[] = {
    {"rgb.png", 0},     {"gray.png", 0},  {"palette.png", 0},     {"rgba.png", 0}, {"bits.png", 0},
    {"sixteen.png", 0}, {"photo.jpg", 1}, {"progressive.jpg", 1}, {"gray.jpg", 1}, {"inks.jpg", 2}};

TEST(Images, PixelsAreThoseOfPillow) {
    for (const Picture& picture : pictures) {
        std::string key = picture.file;
        std::replace(key.begin(), key.end(), '.', '_');
        const InputFile file(references + "images/" + picture.file);
        const ImageInfo info = inspect_image(file);
        EXPECT_TRUE(info.ends_well) << key;
        const Image image = decoded(content_of(file.path()), 3);
        EXPECT_EQ(image.height, info.height) << key;
        EXPECT_EQ(image.width, info.width) << key;
        EXPECT_LE(largest_difference(image.pixels, expected(key + "_pixels")), picture.allowed)
            << key;
        EXPECT_LE(largest_difference(resized(image, whole(image), 16, 12), expected(key + "_rgb")),
                  picture.allowed)
            << key;
        const Image gray = decoded(content_of(file.path()), 1);
        EXPECT_EQ(gray.pixels.size(), image.pixels.size() / 3);
        EXPECT_LE(largest_difference(resized(gray, whole(gray), 16, 12), expected(key + "_gray")),
                  picture.allowed)
            << key;
    }
}

TEST(Images, LargerAndCroppedOnesAreThoseOfPillow) {
    const Image image = decoded(content_of(references + "images/rgb.png"), 3);
    EXPECT_EQ(largest_difference(resized(image, whole(image), 41, 50), expected("larger")), 0);
    const ImageBox box = centre_box(image, 16, 12);
    EXPECT_EQ(box.top, 0);
    EXPECT_EQ(box.left, 8);
    EXPECT_EQ(box.height, 29);
    EXPECT_EQ(box.width, 21);
    EXPECT_EQ(largest_difference(resized(image, box, 16, 12), expected("cropped")), 0);
    EXPECT_EQ(resized(image, whole(image), 29, 37), image.pixels);
}

// The same sums in plain words: weights in units of 2^-22, rounded after each direction.
struct PlainWeights {
    std::int64_t first = 0;
    std::vector<std::int64_t> weights;
};

PlainWeights plain_weights(std::int64_t from, std::int64_t to, std::int64_t place) {
    if (from == to) return {place, {1 << 22}};
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double reach = std::max(scale, 1.0), centre = (static_cast<double>(place) + 0.5) * scale;
    PlainWeights result;
    result.first =
        std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(centre - reach + 0.5)));
    const auto end = std::min(from, static_cast<std::int64_t>(std::floor(centre + reach + 0.5)));
    std::vector<double> exact;
    double sum = 0;
    for (std::int64_t x = result.first; x < end; ++x) {
        exact.push_back(
            std::max(0.0, 1 - std::abs((static_cast<double>(x) - centre + 0.5) / reach)));
        sum += exact.back();
    }
    for (const double weight : exact)
        result.weights.push_back(
            static_cast<std::int64_t>(std::floor(weight / sum * (1 << 22) + 0.5)));
    return result;
}

std::vector<std::uint8_t> plainly_resized(const Image& image, const ImageBox& box,
                                          std::int64_t height, std::int64_t width) {
    const auto pixel = [&](std::int64_t row, std::int64_t column, std::int64_t channel) {
        const PlainWeights across = plain_weights(box.width, width, column);
        std::int64_t sum = 1 << 21;
        for (std::size_t i = 0; i < across.weights.size(); ++i) {
            const std::int64_t x = box.left + across.first + static_cast<std::int64_t>(i);
            sum += across.weights[i] *
                   image.pixels[static_cast<std::size_t>(
                       ((box.top + row) * image.width + x) * image.channels + channel)];
        }
        return std::clamp<std::int64_t>(sum >> 22, 0, 255);
    };
    std::vector<std::uint8_t> out;
    for (std::int64_t row = 0; row < height; ++row) {
        const PlainWeights down = plain_weights(box.height, height, row);
        for (std::int64_t column = 0; column < width; ++column)
            for (std::int64_t channel = 0; channel < image.channels; ++channel) {
                std::int64_t sum = 1 << 21;
                for (std::size_t i = 0; i < down.weights.size(); ++i)
                    sum += down.weights[i] *
                           pixel(down.first + static_cast<std::int64_t>(i), column, channel);
                out.push_back(
                    static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> 22, 0, 255)));
            }
    }
    return out;
}

TEST(Images, EverySizeIsThatOfThePlainSums) {
    std::mt19937 random(3);
    const auto size = [&](std::int64_t most) {
        return 1 + static_cast<std::int64_t>(random()) % most;
    };
    for (int i = 0; i < 120; ++i) {
        Image image{size(i < 30 ? 4 : 50), size(i < 30 ? 8 : 70), i % 4 == 0 ? 1 : 3, {}};
        image.pixels.resize(static_cast<std::size_t>(image.height * image.width * image.channels));
        for (std::uint8_t& value : image.pixels) value = static_cast<std::uint8_t>(random());
        ImageBox box = whole(image);
        if (i % 3 == 0) box = centre_box(image, size(20), size(20));
        const auto height = static_cast<int>(size(24)), width = static_cast<int>(size(24));
        ASSERT_EQ(resized(image, box, height, width), plainly_resized(image, box, height, width))
            << image.height << " x " << image.width << " to " << height << " x " << width;
    }
}

std::string big32(std::uint64_t value) {
    const std::string text = little(value, 4);
    return {text.rbegin(), text.rend()};
}

std::string png_chunk(const std::string& type, const std::string& data) {
    const std::string body = type + data;
    const auto crc =
        crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return big32(data.size()) + body + big32(crc);
}

// A PNG of one colour whose pixels cost next to nothing in the file.
std::string plain_png(std::uint32_t width, std::uint32_t height) {
    const std::string rows((1 + (width + 7) / 8) * height, '\0');
    uLongf size = compressBound(rows.size());
    std::string packed(size, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
              reinterpret_cast<const Bytef*>(rows.data()), rows.size(), 9);
    packed.resize(size);
    return "\x89PNG\r\n\x1A\n" +
           png_chunk("IHDR", big32(width) + big32(height) + std::string("\1\0\0\0\0", 5)) +
           png_chunk("IDAT", packed) + png_chunk("IEND", "");
}

TEST(Images, ABombIsRefusedByItsHead) {
    const TemporaryDirectory directory;
    const std::string bomb = plain_png(19000, 19000);
    EXPECT_LT(bomb.size(), 100U << 10);
    put(directory / "bomb.png", bomb);
    const std::int64_t grown = growth_kib([&] {
        const Error error = error_of([&] { inspect_image(InputFile(directory / "bomb.png")); });
        EXPECT_NE(error.message().find("19,000 x 19,000 pixels"), std::string::npos)
            << error.what();
        EXPECT_EQ(error.where(), (directory / "bomb.png").string());
        EXPECT_EQ(error_of([&] { decoded(bomb, 3); }).code(), ErrorCode::format);
    });
    EXPECT_LT(grown, 1 << 10);
}

TEST(Images, OtherContentIsRefused) {
    const TemporaryDirectory directory;
    for (const char* content : {"", "G", "GIF89a, not ours", "\xff\xd8\xff", "\x89PNG\r\n\x1A\n"}) {
        put(directory / "x.png", content);
        EXPECT_EQ(error_of([&] { inspect_image(InputFile(directory / "x.png")); }).code(),
                  ErrorCode::format);
        EXPECT_EQ(error_of([&] { decoded(content, 3); }).code(), ErrorCode::format);
    }
}

TEST(Images, EveryTruncationIsSeen) {
    const TemporaryDirectory directory;
    for (const char* name : {"rgba.png", "photo.jpg", "progressive.jpg"}) {
        const std::string content = content_of(references + "images/" + name);
        for (std::size_t n = 0; n + 1 < content.size(); n += 1 + n / 64) {
            EXPECT_EQ(error_of([&] { decoded(content.substr(0, n), 3); }).code(), ErrorCode::format)
                << name << " " << n;
            put_anew(directory / "x", content.substr(0, n));
            try {
                EXPECT_FALSE(inspect_image(InputFile(directory / "x")).ends_well)
                    << name << " " << n;
            } catch (const Error&) {
            }
        }
    }
}

TEST(Images, MutatedImagesNeverDoHarm) {
    const TemporaryDirectory directory;
    int refused = 0, total = 0;
    for (const Picture& picture : pictures) {
        Mutations mutations(content_of(references + "images/" + picture.file), 11);
        for (int i = 0; i < 250; ++i, ++total) {
            const std::string content = mutations.next();
            try {
                put_anew(directory / "x", content);
                // What a changed size asks for is allowed, but slow to do a thousand times.
                const ImageInfo info = inspect_image(InputFile(directory / "x"));
                if (info.height * info.width < 1'000'000) decoded(content, 1 + 2 * (i % 2));
            } catch (const Error&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, total / 2);
}

}  // namespace
}  // namespace strata::io
