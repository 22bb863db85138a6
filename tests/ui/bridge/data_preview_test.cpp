// A look at data of every shape: what is counted, what is warned of, and that it can be broken off.
#include "ui/bridge/data_preview.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/io/npy.h"
#include "tests/ui/support/ui_environment.h"

namespace strata::ui {
namespace {

class DataPreviewTest : public testing::Test {
protected:
    train::RunConfig project(int count) {
        test::writeIdx(m_folder.path(), count);
        return test::smallProject(m_folder.path());
    }
    DataPreview read(const train::RunConfig& config, const PreviewLimits& limits = {}) {
        const auto preview = previewData(config, m_cancelled, limits);
        EXPECT_TRUE(preview.has_value());
        return preview.value_or(DataPreview());
    }
    static bool warns(const DataPreview& preview, const std::string& of) {
        for (const std::string& line : preview.warnings)
            if (line.find(of) != std::string::npos) return true;
        return false;
    }

    QTemporaryDir m_folder;
    std::atomic<bool> m_cancelled = false;
};

TEST_F(DataPreviewTest, ImagesAreCountedExactly) {
    const DataPreview preview = read(project(1001));
    EXPECT_TRUE(preview.images);
    EXPECT_EQ(preview.size, 1001);
    EXPECT_EQ(preview.train, 900);  // Keras: int(1001 * 0.9) from the front
    EXPECT_EQ(preview.validation, 101);
    EXPECT_EQ(preview.looked, 1001);
    EXPECT_EQ(preview.counts, (std::vector<std::int64_t>{501, 500}));
    // writeIdx: the bright half is 200 + i % 50, the dark one i % 30.
    EXPECT_EQ(preview.range.least, 0.0F);
    EXPECT_EQ(preview.range.largest, 249.0F);
    ASSERT_EQ(preview.samples.size(), 24U);
    EXPECT_EQ(preview.samples[0].label, 0);
    EXPECT_EQ(preview.samples[1].label, 1);
    EXPECT_EQ(preview.samples[2].picture.pixels[0], 202);
    EXPECT_EQ(preview.samples[2].picture.pixels[15], 2);
    EXPECT_FALSE(preview.test.has_value());
    EXPECT_TRUE(preview.augmented.empty());
    EXPECT_TRUE(preview.warnings.empty());
}

TEST_F(DataPreviewTest, AValueThatIsNoNumberHidesNoOther) {
    train::RunConfig config = project(8);
    config.data.validation_split = 0.0;
    const std::vector<float> samples{NAN, 2.0F, -6.0F, HUGE_VALF};
    const std::vector<std::int32_t> labels{0};
    const auto file = [&](const char* name) { return m_folder.filePath(name).toStdString(); };
    io::write_npy(file("x.npy"), DType::float32, Shape{1, 2, 2, 1},
                  std::as_bytes(std::span(samples)));
    io::write_npy(file("y.npy"), DType::int32, Shape{1}, std::as_bytes(std::span(labels)));
    config.data.source = {{"type", "npy"}, {"samples", file("x.npy")}, {"labels", file("y.npy")}};
    const DataPreview preview = read(config);
    EXPECT_EQ(preview.range.least, -6.0F);
    EXPECT_EQ(preview.range.largest, 2.0F);
    ASSERT_EQ(preview.samples.size(), 1U);
    EXPECT_EQ(preview.samples[0].picture.pixels, (std::vector<std::uint8_t>{0, 255, 0, 0}));
}

TEST_F(DataPreviewTest, WhereTimeIsShortAPartIsCounted) {
    PreviewLimits limits;
    limits.seconds = 0.0;
    const DataPreview preview = read(project(1000), limits);
    EXPECT_GT(preview.looked, 0);
    EXPECT_LT(preview.looked, 1000);
    EXPECT_EQ(preview.counts[0] + preview.counts[1], preview.looked);
}

TEST_F(DataPreviewTest, TargetsHaveNoClasses) {
    train::RunConfig config = project(8);
    config.data.source = {{"type", "noisy_sine"}, {"count", 50}};
    config.data.test = {{"type", "noisy_sine"}, {"count", 20}, {"seed", 2}};
    const DataPreview preview = read(config);
    EXPECT_FALSE(preview.images);
    EXPECT_FALSE(preview.labels);
    EXPECT_TRUE(preview.counts.empty());
    EXPECT_EQ(preview.test, 20);
    ASSERT_EQ(preview.samples.size(), 24U);
    EXPECT_EQ(preview.samples[0].values.size(), 1U);
    EXPECT_EQ(preview.samples[0].targets.size(), 1U);
    EXPECT_TRUE(warns(preview, "The samples are (1,), the model's input is (4, 4, 1)"));
}

TEST_F(DataPreviewTest, AugmentationIsThatOfTheRunsFirstEpochs) {
    train::RunConfig config = project(16);
    Json json = train::project_to_json(config);
    json["data"]["pipeline"] = {{{"stage", "map"},
                                 {"layers",
                                  {{{"type", "RandomTranslation"},
                                    {"config", {{"height_factor", 0.5}, {"width_factor", 0.5}}}}}}},
                                {{"stage", "batch"}, {"batch_size", 4}}};
    config = train::project_from_json(json, "");
    const DataPreview preview = read(config);
    ASSERT_EQ(preview.augmented.size(), 6U);
    bool moved = false;
    for (const Picture& picture : preview.augmented) {
        EXPECT_EQ(picture.pixels.size(), 16U);
        moved = moved || picture.pixels != preview.augmented[0].pixels;
    }
    EXPECT_TRUE(moved);
}

TEST_F(DataPreviewTest, WhatIsOddIsWarnedOf) {
    train::RunConfig config = project(16);
    std::erase_if(config.model.layers, [](const auto& layer) { return layer.name == "scale"; });
    EXPECT_TRUE(warns(read(config), "put a Rescaling layer behind the input"));
    config.data.test = {{"type", "idx"}, {"images", "nothing"}, {"labels", "nothing"}};
    EXPECT_TRUE(read(config).test_fault.has_value());
}

TEST_F(DataPreviewTest, ACancelledOrMissingSourceGivesNothing) {
    train::RunConfig config = project(16);
    m_cancelled = true;
    EXPECT_FALSE(previewData(config, m_cancelled).has_value());
    m_cancelled = false;
    config.data.source = Json();
    EXPECT_FALSE(previewData(config, m_cancelled).has_value());
    config.data.source = {{"type", "idx"}, {"images", "nothing"}, {"labels", "nothing"}};
    EXPECT_THROW(previewData(config, m_cancelled), Error);
}

}  // namespace
}  // namespace strata::ui
