// The bar above the canvas: what it says of a plan and of a run, in as much room as there is.
#include "ui/canvas/canvas_bar.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLabel>

#include "tests/ui/support/ui_environment.h"

namespace strata::ui {
namespace {

parallel::PlacementPlan planned() {
    parallel::PlacementPlan plan;
    plan.devices.resize(2);
    plan.stages = plan.micro_batches = 2;
    plan.timed = true;
    plan.step.batches = 0.0007;
    plan.idle_share = 0.33;
    return plan;
}

TEST(CanvasBarTest, TellsPredictedAndMeasured) {
    CanvasBar bar;
    bar.resize(900, 40);
    bar.setPlan(planned());
    EXPECT_TRUE(bar.summary().contains("1F1B · 2 micro-batches")) << bar.summary().toStdString();
    bar.setMeasuredIdle(0.25);
    EXPECT_TRUE(bar.summary().contains("25 % measured"));
    // In less room the schedule is left out, before the end is cut off.
    QLabel* shown = nullptr;
    for (QLabel* label : bar.findChildren<QLabel*>())
        if (label->accessibleName() == "Devices at work") shown = label;
    ASSERT_NE(shown, nullptr);
    bar.show();
    bool shorter = false;
    for (int width = 900; width >= 400 && !shorter; width -= 10) {
        bar.resize(width, 40);
        QCoreApplication::processEvents();
        ASSERT_FALSE(shown->text().contains(QChar(0x2026))) << qPrintable(shown->text());
        shorter = !shown->text().contains("1F1B");
    }
    EXPECT_TRUE(shorter);
    EXPECT_TRUE(shown->text().contains("25 % measured"));
    EXPECT_TRUE(shown->text().endsWith("s predicted")) << qPrintable(shown->text());
    // A run's step stands beside the predicted one, and alone where room is short.
    bar.resize(900, 40);
    bar.setMeasuredStep(0.00226);
    EXPECT_TRUE(bar.summary().endsWith("s predicted, 2.26 ms measured"));
    QCoreApplication::processEvents();
    EXPECT_EQ(shown->text(), bar.summary());
    bool alone = false;
    for (int width = 900; width >= 560 && !alone; width -= 10) {
        bar.resize(width, 40);
        QCoreApplication::processEvents();
        ASSERT_FALSE(shown->text().contains(QChar(0x2026))) << qPrintable(shown->text());
        alone = !shown->text().contains("predicted");
    }
    EXPECT_EQ(shown->text(), "idle 25 % measured · step 2.26 ms measured");
    bar.setMeasuredStep({});
    EXPECT_FALSE(bar.summary().contains("2.26"));
    bar.setFault(Error(ErrorCode::invalid_argument, "cannot be", "placement", "Change it"));
    EXPECT_TRUE(bar.summary().contains("Change it"));
}

// What to do is said whole where only a part of the sentence finds room.
TEST(CanvasBarTest, ShortensTheHintBeforeItIsCutOff) {
    CanvasBar bar;
    bar.setLanes(true);
    parallel::PlacementPlan plan = planned();
    plan.devices.resize(1);
    plan.devices[0].device = "cpu:0";
    plan.stages = 1;
    bar.setPlan(plan);
    bar.show();
    QLabel* shown = nullptr;
    for (QLabel* label : bar.findChildren<QLabel*>())
        if (label->accessibleName() == "Devices at work") shown = label;
    ASSERT_NE(shown, nullptr);
    bool shorter = false;
    for (int width = 1200; width >= 620; width -= 10) {
        bar.resize(width, 40);
        QCoreApplication::processEvents();
        EXPECT_FALSE(shown->text().contains(QChar(0x2026))) << qPrintable(shown->text()) << width;
        shorter = shorter || shown->text().startsWith("Drag cards");
    }
    EXPECT_TRUE(shorter);
    EXPECT_TRUE(bar.summary().startsWith("All layers stand on cpu:0")) << "the tool tip is whole";
}

}  // namespace
}  // namespace strata::ui
