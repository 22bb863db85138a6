// The cards of copies and of the pipeline: the project follows them, and they tell the planner's
// numbers.
#include <gtest/gtest.h>

#include <QSpinBox>

#include "tests/ui/techniques/panel_fixture.h"
#include "ui/document/model_edits.h"
#include "ui/document/placement_edits.h"
#include "ui/techniques/technique_prediction.h"

namespace strata::ui {
namespace {

class ParallelCardsTest : public PanelFixture {};

TEST_F(ParallelCardsTest, CopiesOfTheModelShowWhatTheyMakeOfTheBatch) {
    panel.show();
    turn("placement.replicas");
    field<QSpinBox>("placement.replicas.count")->setValue(3);
    EXPECT_EQ(document.config().placement.replicas, 3);
    turn("training.gradient_accumulation_steps");
    field<QSpinBox>("training.gradient_accumulation_steps.batches")->setValue(2);
    QString told;
    ASSERT_TRUE(test::waitFor([&] {
        told = card("placement.replicas")->effectText();
        return told.contains("a device");
    }));
    // 64 samples, a tenth of them kept back: 58 in batches of 24, two of which make an update.
    EXPECT_TRUE(told.contains("8 × 2 × 3 = 48")) << told.toStdString();
    EXPECT_TRUE(told.contains("2 updates an epoch")) << told.toStdString();
    const QString window = card("training.gradient_accumulation_steps")->effectText();
    EXPECT_TRUE(window.startsWith("Effective batch 48 ")) << window.toStdString();
    EXPECT_FALSE(shows("BatchNormalization: each copy"));
    document.edit("Insert", [](train::RunConfig& c) {
        insertLayer(c.model, "BatchNormalization", "hidden");
    });
    EXPECT_TRUE(shows("BatchNormalization: each copy"));
}

TEST_F(ParallelCardsTest, ThePipelineAsksForDevicesAndThenTellsItsIdleTime) {
    panel.show();
    EXPECT_TRUE(shows("place some of them on another one first"));
    document.edit("Place", [](train::RunConfig& c) { placeLayers(c, {"classes"}, "cpu:1"); });
    EXPECT_FALSE(shows("place some of them on another one first"));
    turn("placement.micro_batches");
    field<QSpinBox>("placement.micro_batches.count")->setValue(4);
    choose(field<QComboBox>("placement.schedule"), "gpipe");
    EXPECT_EQ(document.config().placement.micro_batches, 4);
    EXPECT_EQ(document.config().placement.schedule, parallel::ScheduleKind::gpipe);
    QString told;
    ASSERT_TRUE(test::waitFor([&] {
        told = card("placement.micro_batches")->effectText();
        return told.contains("by the formula");
    }));
    EXPECT_TRUE(told.contains("by the formula 20 %")) << told.toStdString();  // (2-1)/(4+2-1)
}

// On several devices the fullest one may be another with a technique than without, and what the
// technique changes may be on neither.
TEST(MemoryEffect, ComparesTheDeviceThatChangesMost) {
    constexpr std::size_t mib = std::size_t{1} << 20;
    TechniquePrediction prediction;
    MemoryPrediction with, without;
    with.device = "cpu:0";
    with.budget[device::Category::weights] = 4 * mib;
    with.bytes = {{"cpu:0", 4 * mib}, {"cpu:1", 1 * mib}};
    without.device = "cpu:1";
    without.budget[device::Category::weights] = 5 * mib;
    without.bytes = {{"cpu:0", 3 * mib}, {"cpu:1", 5 * mib}};
    prediction.memory = with;
    prediction.switched[Technique::ema] = without;
    EXPECT_EQ(memoryEffect(prediction, Technique::ema, true),
              QString("memory on cpu:1 1.00\u00a0MiB instead of 5.00\u00a0MiB"));
    EXPECT_EQ(memoryEffect(prediction, Technique::ema, false),
              QString("memory on cpu:1 5.00\u00a0MiB instead of 1.00\u00a0MiB"));
    prediction.switched[Technique::ema].bytes = {{"cpu:0", 4 * mib}, {"cpu:1", 1 * mib + 1}};
    EXPECT_EQ(memoryEffect(prediction, Technique::ema, true),
              QString("memory stays 1.00\u00a0MiB"));
    prediction.switched[Technique::ema].bytes = with.bytes;
    EXPECT_EQ(memoryEffect(prediction, Technique::ema, true),
              QString("memory stays 4.00\u00a0MiB"));
    prediction.memory->bytes = {{"cpu:0", 4 * mib}};
    prediction.switched[Technique::ema].bytes = {{"cpu:0", 3 * mib}};
    EXPECT_EQ(memoryEffect(prediction, Technique::ema, true),
              QString("memory 4.00\u00a0MiB instead of 3.00\u00a0MiB"));
}

}  // namespace
}  // namespace strata::ui
