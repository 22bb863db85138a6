// The store of a run, its smoothing and its table; when the charts may paint.
#include "ui/charts/run_store.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

#include "tests/ui/charts/events.h"
#include "ui/charts/draw_budget.h"
#include "ui/charts/smoother.h"

namespace strata::ui {
namespace {

TEST(Smoother, IsTheDebiasedRunningMean) {
    // By hand, weight 0.5, values 1, 2, 4: means 0.5, 1.25, 2.625 over 0.5, 0.75, 0.875.
    Smoother smoother(0.5);
    EXPECT_DOUBLE_EQ(smoother.next(1.0), 1.0);
    EXPECT_DOUBLE_EQ(smoother.next(2.0), 1.25 / 0.75);
    EXPECT_DOUBLE_EQ(smoother.next(4.0), 2.625 / 0.875);
}

TEST(Smoother, WeightZeroGivesTheValues) {
    Smoother smoother(0.0);
    for (const double value : {3.0, -1.0, 8.5}) EXPECT_DOUBLE_EQ(smoother.next(value), value);
}

TEST(Smoother, LeavesOutWhatIsNotFinite) {
    Smoother smoother(0.5);
    smoother.next(1.0);
    EXPECT_TRUE(std::isnan(smoother.next(std::numeric_limits<double>::quiet_NaN())));
    EXPECT_DOUBLE_EQ(smoother.next(2.0), 1.25 / 0.75);
}

TEST(DrawBudget, PaintsTheFirstValuesAtOnce) {
    EXPECT_EQ(DrawBudget().wait(123.0), 0.0);
}

TEST(DrawBudget, PaintsAtMostThirtyTimesASecond) {
    DrawBudget budget;
    budget.painted(10.0, 0.0);
    EXPECT_NEAR(budget.wait(10.0), 1.0 / 30.0, 1e-12);
    EXPECT_EQ(budget.wait(10.1), 0.0);
}

TEST(DrawBudget, PaintingTakesOneHundredthOfTheTime) {
    DrawBudget budget;
    budget.painted(10.0, 0.004);
    EXPECT_NEAR(budget.wait(10.0), 0.396, 1e-12);  // 99 times as long
    budget.reset();
    EXPECT_EQ(budget.wait(10.0), 0.0);
}

RunStore filled(std::int64_t updates) {
    RunStore store;
    store.start(makePlan());
    for (std::int64_t update = 1; update <= updates; ++update) {
        store.add(makeStep(update));
        if (update % 100 == 0) store.add(makeEpoch(update / 100, update));
    }
    return store;
}

TEST(RunStore, HasEachStepOnEveryAxis) {
    const RunStore store = filled(250);
    ASSERT_EQ(store.steps().rows(), 250U);
    EXPECT_EQ(store.epochs().rows(), 2U);
    EXPECT_EQ(store.steps().lines[RunStore::loss][41], makeStep(42).loss);
    EXPECT_EQ(store.steps().lines[RunStore::metric][41], makeStep(42).metrics[0]);
    EXPECT_DOUBLE_EQ(store.steps().axis(XAxis::epoch)[49], 0.5);
    EXPECT_EQ(store.steps().axis(XAxis::samples)[49], 3200.0);
    EXPECT_EQ(store.steps().axis(XAxis::time)[0], 0.0);
    EXPECT_EQ(store.epochs().axis(XAxis::samples)[1], 12800.0);
    EXPECT_EQ(store.epochs().lines[RunStore::epoch_metric + 1][0],
              makeEpoch(1, 100).val_metrics["accuracy"]);
}

TEST(RunStore, AnotherRunStartsEmpty) {
    RunStore store = filled(250);
    store.start(makePlan());
    EXPECT_EQ(store.steps().rows(), 0U);
    EXPECT_TRUE(store.marks().empty());
}

TEST(RunStore, AResumedRunKeepsWhatWasBefore) {
    RunStore store = filled(250);
    const std::size_t before = store.generation();
    train::PlanEvent plan = makePlan();
    plan.first_update = 200;
    store.start(plan);
    EXPECT_EQ(store.steps().rows(), 200U);
    EXPECT_EQ(store.epochs().rows(), 2U);
    EXPECT_GT(store.generation(), before);
    ASSERT_EQ(store.marks().size(), 1U);
    EXPECT_EQ(store.marks()[0].kind, Mark::Kind::resumed);
    store.add(makeStep(201));
    EXPECT_EQ(store.steps().rows(), 201U);
}

// 100 updates of 64 samples an epoch, then 25 of 256.
TEST(RunStore, AnEpochIsAsLongWithOtherReplicas) {
    RunStore store = filled(250);
    train::PlanEvent plan = makePlan();
    plan.updates_per_epoch = 25;
    plan.first_update = 250;
    store.start(plan);
    train::StepEvent step = makeStep(251);
    step.samples = 64 * 250 + 256;
    store.add(step);
    EXPECT_DOUBLE_EQ(store.steps().axis(XAxis::epoch)[249], 2.5);
    EXPECT_DOUBLE_EQ(store.steps().axis(XAxis::epoch)[250], 2.54);
}

TEST(RunStore, HasEachMeasurementOfEachDeviceOnEveryAxis) {
    RunStore store;
    store.add(makeMonitor(1));  // before the plan
    EXPECT_EQ(store.devices().rows(), 0U);
    store.start(makePlanWithGpu());
    EXPECT_EQ(store.deviceNames(), (std::vector<std::string>{"cuda:0", "cpu:0"}));
    for (std::int64_t update = 1; update <= 200; ++update) store.add(makeStep(update));
    for (const std::int64_t update : {40, 40, 180}) store.add(makeMonitor(update));
    ASSERT_EQ(store.devices().rows(), 3U) << "two in one update are two";
    EXPECT_EQ(store.devices().axis(XAxis::update)[1], 40.0);
    EXPECT_EQ(store.devices().axis(XAxis::samples)[2], 180.0 * 64.0);
    EXPECT_NEAR(store.devices().axis(XAxis::time)[2], 0.0035 * 179.0, 1e-6);
    const auto value = [&](std::size_t device, RunStore::DeviceLine line) {
        return store.devices().lines[device * RunStore::device_lines + line][2];
    };
    EXPECT_EQ(value(0, RunStore::power), 412.5);
    EXPECT_EQ(value(1, RunStore::utilisation), 25.0) << "per cent";
    EXPECT_TRUE(std::isnan(value(1, RunStore::temperature)));
    EXPECT_TRUE(store.isTold(0, RunStore::temperature));
    EXPECT_FALSE(store.isTold(1, RunStore::temperature));
    train::PlanEvent resumed = makePlanWithGpu();
    resumed.first_update = 100;
    store.start(resumed);
    EXPECT_EQ(store.devices().rows(), 2U) << "what follows is measured again";
    resumed.devices.pop_back();
    store.start(resumed);
    EXPECT_EQ(store.devices().rows(), 0U) << "other devices";
    EXPECT_EQ(store.steps().rows(), 100U);
}

TEST(RunStore, MarksBestAndFailedCheckpoints) {
    RunStore store = filled(100);
    store.add(train::CheckpointEvent{"a.h5", 100, true, std::nullopt});
    store.add(train::CheckpointEvent{"b.h5", 100, false, Error(ErrorCode::io, "disk full")});
    ASSERT_EQ(store.marks().size(), 2U);
    EXPECT_EQ(store.marks()[0].kind, Mark::Kind::best);
    EXPECT_EQ(store.marks()[1].kind, Mark::Kind::failed);
}

TEST(RunStore, MarksWhatHappenedToTheRun) {
    using Kind = train::MarkEvent::Kind;
    RunStore store = filled(100);
    EXPECT_FALSE(store.hasLossScale());
    EXPECT_FALSE(store.hasClipLimit());
    store.add(train::MarkEvent{Kind::resumed, 0, 0.0, "the plan tells it"});
    store.add(train::MarkEvent{Kind::learning_rate, 100, 3e-4, "lowered"});
    store.add(train::MarkEvent{Kind::early_stop, 100, 0.0, "stopped"});
    train::StepEvent step = makeStep(100);
    step.skipped = true;
    step.loss_scale = 512.0;
    step.clip_limit = 2.0;
    store.add(step);
    ASSERT_EQ(store.marks().size(), 3U);
    EXPECT_EQ(store.marks()[0].kind, Mark::Kind::learningRate);
    EXPECT_EQ(store.marks()[0].value, 3e-4);
    EXPECT_EQ(store.marks()[1].kind, Mark::Kind::earlyStop);
    EXPECT_EQ(store.marks()[2].kind, Mark::Kind::skipped);
    EXPECT_EQ(store.marks()[2].update, 100);
    EXPECT_TRUE(store.hasLossScale());
    EXPECT_TRUE(store.hasClipLimit());
    EXPECT_TRUE(std::isnan(store.steps().lines[RunStore::clip_limit][99]));
    EXPECT_EQ(store.steps().lines[RunStore::clip_limit][100], 2.0);
    EXPECT_EQ(store.steps().lines[RunStore::loss_scale][100], 512.0);
}

TEST(Csv, HoldsAllPointsBitForBit) {
    const QTemporaryDir dir;
    const QString path = dir.filePath("run.csv");
    writeCsv(filled(5000), path);
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> rows = file.readAll().split('\n');
    ASSERT_EQ(rows.size(), 5002);  // a header, and nothing behind the last line
    const QList<QByteArray> header = rows[0].split(',');
    EXPECT_EQ(header.size(), 16);
    const qsizetype loss = header.indexOf("loss"), accuracy = header.indexOf("accuracy");
    const qsizetype valLoss = header.indexOf("val_loss");
    for (std::int64_t update = 1; update <= 5000; ++update) {
        const QList<QByteArray> cells = rows[update].split(',');
        ASSERT_EQ(cells.size(), header.size()) << update;
        ASSERT_EQ(cells[0].toLongLong(), update);
        ASSERT_EQ(cells[loss].toDouble(), makeStep(update).loss) << update;
        ASSERT_EQ(cells[accuracy].toDouble(), makeStep(update).metrics[0]) << update;
        ASSERT_EQ(cells[valLoss].isEmpty(), update % 100 != 0) << update;
    }
    EXPECT_EQ(rows[100].split(',')[valLoss].toDouble(), *makeEpoch(1, 100).val_loss);
}

TEST(Csv, SaysWhereItCannotWrite) {
    try {
        writeCsv(filled(1), "/no/such/folder/run.csv");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::io);
        EXPECT_EQ(error.where(), "/no/such/folder/run.csv");
    }
}

}  // namespace
}  // namespace strata::ui
