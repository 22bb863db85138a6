// The pipeline's chart: measured and predicted blocks, idle shares in words, read-out, keys.
#include "ui/charts/timeline_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include "tests/ui/charts/events.h"
#include "tests/ui/support/ui_environment.h"

namespace strata::ui {
namespace {

// Two stages on two devices, two micro-batches: 4 blocks a device.
parallel::PlacementPlan planned() {
    parallel::PlacementPlan plan;
    plan.devices.resize(2);
    plan.devices[0].device = "cpu:0";
    plan.devices[1].device = "cpu:1";
    plan.stages = plan.micro_batches = 2;
    plan.samples = 8;
    plan.timed = true;
    const auto graph = parallel::StageGraph::chain(2);
    plan.timeline =
        parallel::simulate(parallel::make_schedule(parallel::ScheduleKind::gpipe, graph, 2), graph,
                           {{1e-3, 1e-3}, {2e-3, 2e-3}, 0.0});
    plan.idle_share = plan.timeline.idle_share();
    plan.idle_share_formula = 1.0 / 3.0;
    return plan;
}

train::TimelineEvent measured() {
    train::TimelineEvent event{42, 2, 0.012, 0.25, {}};
    for (int device = 0; device < 2; ++device)
        for (int i = 0; i < 4; ++i)
            event.blocks.push_back({device, device, i % 2, i > 1, 0.003 * i + 0.001 * device,
                                    0.003 * i + 0.002 + 0.001 * device});
    return event;
}

train::PlanEvent run() {
    train::PlanEvent plan = makePlan();
    plan.devices = {{"cpu:0", plan.memory, 0}, {"cpu:1", plan.memory, 0}};
    return plan;
}

class TimelineViewTest : public testing::Test {
protected:
    void SetUp() override {
        m_view.resize(800, 300);
        m_view.show();
        QApplication::processEvents();
    }
    void press(Qt::Key key) {
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        QApplication::sendEvent(&m_view, &event);
    }
    QImage picture() { return m_view.grab().toImage(); }
    TimelineView m_view;
};

TEST_F(TimelineViewTest, SaysWhatToDoWhereThereIsNoPipeline) {
    EXPECT_EQ(m_view.blocks(), 0);
    EXPECT_TRUE(m_view.accessibleDescription().contains("two devices"));
    EXPECT_TRUE(m_view.sentence().isEmpty());
    parallel::PlacementPlan one = planned();
    one.devices.resize(1);
    m_view.setPlan(one);
    train::TimelineEvent alone = measured();
    alone.devices = 1;
    m_view.setTimeline(alone);
    EXPECT_EQ(m_view.blocks(), 0);
    const QImage empty = picture();
    m_view.setPlan(planned());
    EXPECT_NE(picture(), empty);
}

TEST_F(TimelineViewTest, MeasuredStandsBesidePredictedAndTheFormula) {
    m_view.setPlan(planned());
    EXPECT_EQ(m_view.blocks(), 8);
    EXPECT_EQ(m_view.sentence(), "Devices idle: 33 % predicted · 33 % by the formula");
    m_view.start(run());
    m_view.setTimeline(measured());
    EXPECT_EQ(m_view.blocks(), 16);
    EXPECT_TRUE(m_view.sentence().startsWith("Devices idle: 25 % measured · 33 % predicted"));
    EXPECT_TRUE(m_view.accessibleDescription().startsWith(m_view.sentence()));
    m_view.start(run());
    EXPECT_EQ(m_view.blocks(), 8) << "another run has measured nothing yet";
}

TEST_F(TimelineViewTest, APredictionOfOneCopySaysSo) {
    m_view.setPlan(planned());
    ASSERT_EQ(m_view.titles().size(), 1);
    EXPECT_FALSE(m_view.titles()[0].contains("copy"));
    parallel::PlacementPlan copies = planned();
    copies.replicas = 2;
    for (const char* name : {"cpu:2", "cpu:3"}) {
        copies.devices.push_back(copies.devices[0]);
        copies.devices.back().device = name;
        copies.devices.back().replica = 1;
    }
    m_view.setPlan(copies);
    EXPECT_EQ(m_view.blocks(), 8) << "rows of the first copy";
    EXPECT_TRUE(m_view.titles()[0].endsWith("one copy of 2, all are alike"))
        << qPrintable(m_view.titles()[0]);
    EXPECT_TRUE(m_view.accessibleDescription().contains("all are alike"));
}

TEST_F(TimelineViewTest, KeysGoThroughTheBlocks) {
    m_view.start(run());
    m_view.setTimeline(measured());
    press(Qt::Key_Right);
    EXPECT_EQ(m_view.readout(), "cpu:0, stage 1, micro-batch 1, forward: 0 to 2 ms");
    for (int i = 0; i < 7; ++i) press(Qt::Key_Right);
    EXPECT_EQ(m_view.readout(), "cpu:1, stage 2, micro-batch 2, backward: 10 to 12 ms");
    press(Qt::Key_Right);
    EXPECT_TRUE(m_view.readout().startsWith("cpu:1")) << "the last one stays";
    press(Qt::Key_Left);
    EXPECT_TRUE(m_view.readout().contains("micro-batch 1, backward"));
    EXPECT_EQ(m_view.accessibleDescription(), m_view.readout());
    m_view.start(run());
    EXPECT_TRUE(m_view.readout().isEmpty());
}

TEST_F(TimelineViewTest, TheMouseReadsTheBlockBelowIt) {
    m_view.start(run());
    m_view.setTimeline(measured());
    picture();  // lays out
    QString found;
    for (int y = 0; y < m_view.height() && found.isEmpty(); y += 4) {
        QMouseEvent move(QEvent::MouseMove, QPointF(120, y), m_view.mapToGlobal(QPointF(120, y)),
                         Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&m_view, &move);
        found = m_view.readout();
    }
    EXPECT_TRUE(found.startsWith("cpu:0, stage 1, micro-batch 1, forward")) << found.toStdString();
}

TEST_F(TimelineViewTest, ManyDevicesAreShownInPart) {
    train::TimelineEvent many{1, 40, 1.0, 0.5, {}};
    for (int i = 0; i < 40; ++i) many.blocks.push_back({i, 0, 0, false, 0.0, 0.5});
    many.blocks.push_back({99, 0, 0, false, 0.0, 0.5});  // of no device
    m_view.setTimeline(many);
    EXPECT_EQ(m_view.blocks(), 16);
    picture();
}

}  // namespace
}  // namespace strata::ui
