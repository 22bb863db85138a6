// Predictions rest while a run is prepared, and lose nothing by it.
#include "ui/bridge/prediction_pool.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QThread>
#include <atomic>

#include "tests/ui/support/ui_environment.h"
#include "ui/bridge/prediction.h"

namespace strata::ui {
namespace {

class PredictionPoolTest : public testing::Test {
protected:
    void TearDown() override { m_pool.release(); }
    PredictionPool& m_pool = PredictionPool::instance();
};

TEST_F(PredictionPoolTest, AHeldPoolBeginsNothingAndGoesOnAfterwards) {
    std::atomic<bool> began = false;
    m_pool.hold();
    EXPECT_TRUE(m_pool.isHeld());
    QFuture<int> future = m_pool.run([&] {
        began = true;
        return 7;
    });
    EXPECT_FALSE(test::waitFor([&] { return began.load(); }, 200));
    m_pool.release();
    EXPECT_EQ(future.result(), 7);
}

TEST_F(PredictionPoolTest, ATaskRestsBetweenItsParts) {
    std::atomic<int> part = 0;
    std::atomic<bool> goOn = false;
    QFuture<void> future = m_pool.run([&] {
        part = 1;
        while (!goOn) QThread::msleep(1);
        PredictionPool::rest();
        part = 2;
    });
    ASSERT_TRUE(test::waitFor([&] { return part == 1; }));
    m_pool.hold();
    goOn = true;
    EXPECT_FALSE(test::waitFor([&] { return part == 2; }, 200));
    m_pool.release();
    future.waitForFinished();
    EXPECT_EQ(part, 2);
}

TEST_F(PredictionPoolTest, ElsewhereNobodyRests) {
    m_pool.hold();
    QTemporaryDir folder;
    test::writeIdx(folder.path(), 64);
    train::RunConfig config = test::smallProject(folder.path());
    config.base = folder.path().toStdString();
    EXPECT_TRUE(predictMemory(config)) << "this thread is none of the pool's";
}

TEST(Prediction, WhatNeedsLessIsPlannedAlsoWhereThePlanFits) {
    QTemporaryDir folder;
    test::writeIdx(folder.path(), 64);
    train::RunConfig config = test::smallProject(folder.path());
    config.base = folder.path().toStdString();
    const std::size_t now = predictMemory(config)->budget.total();
    const std::vector<parallel::PlanWarning> less = predictLessMemory(config);
    ASSERT_EQ(less.size(), 1U);
    EXPECT_EQ(less.front().device, "cpu:0");
    ASSERT_FALSE(less.front().fixes.empty());
    for (const parallel::PlanFix& fix : less.front().fixes) EXPECT_LT(fix.bytes, now) << fix.text;
    // With a limit of its own that no choice of layers meets.
    config.training.recomputation.memory_limit = static_cast<std::int64_t>(now / 2);
    EXPECT_FALSE(predictLessMemory(config).empty());
}

}  // namespace
}  // namespace strata::ui
