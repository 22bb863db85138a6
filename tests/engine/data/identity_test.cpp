// What tells data from others: the same files anywhere are the same, other files or points are not.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/io/npy.h"
#include "tests/engine/data/read_all.h"
#include "tests/support/temporary_directory.h"

namespace strata::data {
namespace {

namespace fs = std::filesystem;

Json identity_of(const Json& config, const fs::path& folder) {
    return open_source(config, folder.string(), "data.source")->identity();
}

TEST(Identity, OfArraysIsTheirContent) {
    const testing::TemporaryDirectory folder;
    const auto write = [&](std::int64_t changed_sample, std::int32_t by) {
        std::vector<float> samples(300);
        std::vector<std::int32_t> labels(100);
        for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = static_cast<float>(i);
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels[i] = static_cast<std::int32_t>(i % 3);
        if (changed_sample >= 0) (labels[static_cast<std::size_t>(changed_sample)] += by) %= 3;
        io::write_npy(folder / "x.npy", DType::float32, Shape{100, 3},
                      std::as_bytes(std::span(samples)));
        io::write_npy(folder / "y.npy", DType::int32, Shape{100}, std::as_bytes(std::span(labels)));
    };
    const Json config = {{"type", "npy"}, {"samples", "x.npy"}, {"labels", "y.npy"}};
    write(-1, 0);
    const Json first = identity_of(config, folder.path());
    EXPECT_EQ(first["samples"], 100);
    EXPECT_EQ(first["shape"], Json::array({3}));
    EXPECT_EQ(first["type"], "float32");
    EXPECT_EQ(first["classes"], 3);
    write(-1, 0);
    EXPECT_EQ(identity_of(config, folder.path()), first);
    for (const std::int64_t sample : {0, 99}) {
        write(sample, 1);
        EXPECT_NE(identity_of(config, folder.path())["checksum"], first["checksum"]) << sample;
    }
}

TEST(Identity, OfPicturesIsTheirNamesAndSizes) {
    const testing::TemporaryDirectory folder;
    const std::string picture = STRATA_SOURCE_DIR "/tests/references/data/images/rgb.png";
    for (const char* place : {"here", "there"})
        for (const char* name : {"cats/a.png", "cats/b.png", "dogs/c.png"}) {
            fs::create_directories((folder / place / name).parent_path());
            fs::copy_file(picture, folder / place / name);
        }
    const auto of = [&](const char* place) {
        return identity_of({{"type", "images"}, {"folder", place}}, folder.path());
    };
    EXPECT_EQ(of("here"), of("there"));
    fs::rename(folder / "there/cats/b.png", folder / "there/cats/z.png");
    EXPECT_NE(of("here"), of("there"));
    EXPECT_EQ(of("here")["samples"], of("there")["samples"]);
}

// A machine's own sine may differ from another's in the last bit.
TEST(Identity, OfComputedPointsIsTheirNumber) {
    const Json spirals = identity_of({{"type", "spirals"}, {"count", 40}}, "");
    EXPECT_EQ(spirals["samples"], 40);
    EXPECT_FALSE(spirals.contains("checksum"));
}

}  // namespace
}  // namespace strata::data
