// The end of the program while predictions are made.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QThread>
#include <atomic>

#include "ui/bridge/prediction_pool.h"

namespace strata::ui {
namespace {

// What a prediction uses lives no longer than main(): statics that it made itself are destroyed
// before the pool, which it made use of earlier.
TEST(Exit, PredictionsAreOverWithTheApplication) {
    int argc = 1;
    char name[] = "exit-test";
    char* argv[] = {name, nullptr};
    std::atomic<int> over = 0;
    {
        const QCoreApplication application(argc, argv);
        const auto slow = [&over] {
            QThread::msleep(200);
            PredictionPool::rest();
            ++over;
        };
        for (int i = 0; i < 3; ++i) PredictionPool::instance().run(slow);
        PredictionPool::instance().hold();  // as where a run is prepared
    }
    EXPECT_EQ(over, 3);
}

}  // namespace
}  // namespace strata::ui
