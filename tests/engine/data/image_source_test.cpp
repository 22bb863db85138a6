// A folder of images: classes, order, sizes, and files that are damaged, too large or changed.
#include "engine/data/image_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "engine/io/npy.h"
#include "engine/io/zip.h"
#include "tests/engine/data/read_all.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/memory_growth.h"
#include "tests/support/temporary_directory.h"

namespace strata::data {
namespace {

using namespace strata::testing;
namespace fs = std::filesystem;

const std::string references = STRATA_SOURCE_DIR "/tests/references/data/";

// The head of a PNG of 19000 x 19000 whose pixels would take 1 GiB; the rest is never looked at.
std::string bomb() {
    return from_hex("89504e470d0a1a0a0000000d4948445200004a3800004a380802000000") +
           std::string(44 << 10, '\0') + from_hex("0000000049454e44ae426082");
}

class ImageFolders : public ::testing::Test {
protected:
    void add(const std::string& picture, const std::string& name) {
        fs::create_directories((directory_ / name).parent_path());
        fs::copy_file(references + "images/" + picture, directory_ / name);
    }
    void add_content(const std::string& name, const std::string& content) {
        fs::create_directories((directory_ / name).parent_path());
        put(directory_ / name, content);
    }
    void add_some() {
        for (int i = 0; i < 6; ++i) {
            add("rgb.png", "dogs/d" + std::to_string(i) + ".png");
            add("photo.jpg", "cats/c" + std::to_string(i) + ".JPG");
        }
        add("gray.jpg", "eels/deep/er/e.jpeg");
    }
    std::shared_ptr<Source> open(Json more = Json::object()) {
        Json config = {
            {"type", "images"}, {"folder", directory_.path().string()}, {"size", {16, 12}}};
        config.update(more);
        return open_source(config, directory_.path().string(), "data.source");
    }
    TemporaryDirectory directory_;
};

std::vector<std::uint8_t> expected(const std::string& key) {
    const io::ZipFile zip(std::make_shared<const io::InputFile>(references + "images.npz"));
    const io::Npy npy = io::parse_npy(zip.read(*zip.find(key + ".npy")), key);
    return {npy.as<std::uint8_t>().begin(), npy.as<std::uint8_t>().end()};
}

TEST_F(ImageFolders, SubfoldersAreClasses) {
    add_some();
    add_content("readme.txt", "not a class");
    add_content("dogs/notes.txt", "not an image");
    add_content(".thumbnails/x.png", "hidden");
    const auto source = open();
    EXPECT_EQ(source->size(), 13);
    EXPECT_EQ(source->class_names(), (std::vector<std::string>{"cats", "dogs", "eels"}));
    EXPECT_EQ(source->classes(), 3);
    EXPECT_EQ(source->sample_shape(), (Shape{16, 12, 3}));
    EXPECT_EQ(source->description(), "13 images 16 x 12 x 3, 3 classes");
    EXPECT_TRUE(source->warnings().empty());
    EXPECT_FALSE(source->in_memory());
    const AllSamples all = read_all(*source);
    EXPECT_EQ(std::count(all.labels.begin(), all.labels.end(), 0), 6);
    EXPECT_EQ(std::count(all.labels.begin(), all.labels.end(), 2), 1);
    const std::vector<std::uint8_t> dog = expected("rgb_png_rgb");
    for (std::size_t i = 0; i < 13; ++i) {
        const auto begin = all.pixels.begin() + static_cast<std::ptrdiff_t>(i * dog.size());
        EXPECT_EQ(std::equal(dog.begin(), dog.end(), begin), all.labels[i] == 1) << i;
    }
    EXPECT_EQ(open({{"color_mode", "grayscale"}})->sample_shape(), (Shape{16, 12, 1}));
}

TEST_F(ImageFolders, TheOrderIsMixedBySeed) {
    add_some();
    const auto labels = [&](int seed) { return read_all(*open({{"seed", seed}})).labels; };
    const auto first = labels(1);
    EXPECT_EQ(first, labels(1));
    EXPECT_NE(first, labels(2));
    EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
}

TEST_F(ImageFolders, CroppedImagesAreThoseOfPillow) {
    add("rgb.png", "a/x.png");
    EXPECT_EQ(read_all(*open({{"crop_to_aspect_ratio", true}})).pixels, expected("cropped"));
}

TEST_F(ImageFolders, BadFilesAreLeftOutAndNamed) {
    add_some();
    const std::string jpeg = content_of(references + "images/photo.jpg");
    add_content("cats/bomb.png", bomb());
    add_content("cats/cut.jpg", jpeg.substr(0, jpeg.size() / 2));
    add_content("dogs/empty.png", "");
    add_content("dogs/text.jpg", "this is text");
    add_content("eels/trailer.jpg", jpeg + "a camera's own words after the end");
    std::shared_ptr<Source> source;
    const std::int64_t grown = growth_kib([&] { source = open(); });
    EXPECT_LT(grown, 16 << 10);
    EXPECT_EQ(source->size(), 14);
    EXPECT_EQ(source->description(), "14 images 16 x 12 x 3, 3 classes; 4 files left out");
    ASSERT_EQ(source->warnings().size(), 1U);
    const std::string warning = source->warnings()[0];
    EXPECT_EQ(warning.rfind("4 files are left out: cats/bomb.png (has 19,000 x 19,000 pixels", 0),
              0U)
        << warning;
    for (const char* name : {"cats/cut.jpg", "dogs/empty.png", "dogs/text.jpg"})
        EXPECT_NE(warning.find(name), std::string::npos) << warning;
}

TEST_F(ImageFolders, DamageInTheMiddleIsReplacedByTheSameClass) {
    add_some();
    std::string png = content_of(references + "images/rgba.png");
    png[png.size() / 2] = static_cast<char>(png[png.size() / 2] ^ 0x55);
    add_content("dogs/spoilt.png", png);
    const auto source = open();
    EXPECT_EQ(source->size(), 14);
    const AllSamples all = read_all(*source);
    EXPECT_EQ(all.pixels, read_all(*source).pixels);
    const std::vector<std::uint8_t> dog = expected("rgb_png_rgb");
    for (std::size_t i = 0; i < 14; ++i)
        if (all.labels[i] == 1) {
            EXPECT_TRUE(
                std::equal(dog.begin(), dog.end(),
                           all.pixels.begin() + static_cast<std::ptrdiff_t>(i * dog.size())));
        }
    ASSERT_EQ(source->warnings().size(), 1U);
    EXPECT_EQ(source->warnings()[0].rfind("1 file is damaged and replaced", 0), 0U)
        << source->warnings()[0];
    EXPECT_NE(source->warnings()[0].find("dogs/spoilt.png"), std::string::npos);
}

TEST_F(ImageFolders, ChangesMeanwhileStopTheRun) {
    add_some();
    const auto source = open();
    EXPECT_NO_THROW(read_all(*source));
    const fs::path victim = directory_ / "eels/deep/er/e.jpeg";
    fs::resize_file(victim, 100);
    EXPECT_EQ(error_of([&] { read_all(*source); }).where(), victim.string());
    fs::remove(victim);
    EXPECT_EQ(error_of([&] { read_all(*source); }).code(), ErrorCode::not_found);
}

TEST_F(ImageFolders, NamesOfAnyScriptAndManyThreads) {
    add("rgb.png",
        "\xE0\xA6\xAC\xE0\xA6\xBF\xE0\xA6\xA1\xE0\xA6\xBC\xE0\xA6\xBE\xE0\xA6\xB2/\xE7\x8C\xAB "
        "1.png");
    add("photo.jpg", "\xF0\x9F\x90\xB6/x y.jpg");
    const auto source = open();
    EXPECT_EQ(source->class_names()[1], "\xF0\x9F\x90\xB6");
    const AllSamples wanted = read_all(*source);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 10; ++k)
                if (read_all(*source).pixels != wanted.pixels) ++wrong;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(ImageFolders, FoldersWithoutClassesOrImagesAreRefused) {
    put(directory_ / "x.png", "x");
    EXPECT_NE(error_of([&] { open(); }).message().find("no subfolders"), std::string::npos);
    add_content("a/x.png", "x");
    const Error none = error_of([&] { open(); });
    EXPECT_NE(none.message().find("a/x.png"), std::string::npos) << none.what();
    EXPECT_EQ(error_of([&] { open({{"folder", "absent"}}); }).code(), ErrorCode::not_found);
    EXPECT_EQ(error_of([&] { open({{"size", {0, 5}}}); }).where(), "data.source, size");
}

}  // namespace
}  // namespace strata::data
