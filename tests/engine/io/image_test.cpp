// JPEG and PNG against Pillow's pixels and Pillow's resized pixels, and images that are damaged.
#include "engine/io/image.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>

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
