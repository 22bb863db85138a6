// Decisions about threads and buffers, one window after the other.
#include "engine/data/autotune.h"

#include <gtest/gtest.h>

#include <vector>

namespace strata::data {
namespace {

TuneWindow window(double waited, double samples, double busy) {
    return {.seconds = 1.0, .waited = waited, .samples = samples, .busy = busy};
}

TEST(Autotune, AddsThreadsAsLongAsTheyHelp) {
    Autotune tune({.threads = 8, .fixed_threads = false, .buffers = 4},
                  {.threads = 1, .buffers = 4});
    EXPECT_EQ(tune.next(window(0.6, 100, 0.95)).threads, 2);
    EXPECT_EQ(tune.next(window(0.4, 180, 0.95)).threads, 3);
    EXPECT_EQ(tune.next(window(0.4, 181, 0.95)).threads, 2) << "the third brought nothing";
    for (int i = 0; i < 3; ++i) EXPECT_EQ(tune.next(window(0.4, 180, 0.95)).threads, 2);
}

// One window that something else disturbed must not keep a thread out for long.
TEST(Autotune, TriesAgainAfterLongerAndLongerPauses) {
    Autotune tune({.threads = 2, .fixed_threads = false, .buffers = 4},
                  {.threads = 1, .buffers = 4});
    std::vector<int> tries;
    for (int i = 0; i < 200; ++i)
        if (tune.next(window(0.4, 100, 0.95)).threads == 2) tries.push_back(i);
    ASSERT_GE(tries.size(), 5U);
    EXPECT_EQ(tries[0], 0);
    EXPECT_EQ(tries[1], 5);
    EXPECT_EQ(tries[2], 14);
    EXPECT_EQ(tries.back() - tries[tries.size() - 2], 41) << "the longest pause";
}

TEST(Autotune, AnEpochsBeginJudgesNoThread) {
    Autotune tune({.threads = 2, .fixed_threads = false, .buffers = 4},
                  {.threads = 1, .buffers = 4});
    EXPECT_EQ(tune.next(window(0.6, 100, 0.95)).threads, 2);
    tune.start_epoch();
    EXPECT_EQ(tune.next(window(0.6, 50, 0.95)).threads, 2);
}

TEST(Autotune, AddsBuffersWhereThreadsAreOftenIdle) {
    Autotune tune({.threads = 8, .fixed_threads = false, .buffers = 10},
                  {.threads = 2, .buffers = 3});
    EXPECT_EQ(tune.next(window(0.1, 100, 0.3)), (Tuning{2, 6}));
    EXPECT_EQ(tune.next(window(0.1, 100, 0.3)), (Tuning{2, 10}));
    EXPECT_EQ(tune.next(window(0.1, 100, 0.3)), (Tuning{2, 10}));
}

TEST(Autotune, KeepsWhatIsFixed) {
    Autotune tune({.threads = 3, .fixed_threads = true, .buffers = 4},
                  {.threads = 3, .buffers = 4});
    for (int i = 0; i < 50; ++i) EXPECT_EQ(tune.next(window(0.9, 100, 1.0)), (Tuning{3, 4}));
    for (int i = 0; i < 50; ++i) EXPECT_EQ(tune.next(window(0.0, 100, 0.01)), (Tuning{3, 4}));
}

TEST(Autotune, TakesAThreadBackAfterALongCalm) {
    Autotune tune({.threads = 8, .fixed_threads = false, .buffers = 4},
                  {.threads = 4, .buffers = 4});
    for (int i = 0; i < 19; ++i) EXPECT_EQ(tune.next(window(0, 100, 0.2)).threads, 4);
    EXPECT_EQ(tune.next(window(0, 100, 0.2)).threads, 3);
    Autotune needed({.threads = 8, .fixed_threads = false, .buffers = 4},
                    {.threads = 4, .buffers = 4});
    for (int i = 0; i < 50; ++i) EXPECT_EQ(needed.next(window(0, 100, 0.8)).threads, 4);
}

TEST(Autotune, StaysAtTheLimit) {
    Autotune tune({.threads = 2, .fixed_threads = false, .buffers = 4},
                  {.threads = 1, .buffers = 4});
    EXPECT_EQ(tune.next(window(0.6, 100, 0.95)).threads, 2);
    EXPECT_EQ(tune.next(window(0.6, 200, 0.95)).threads, 2);
    EXPECT_GE(usable_cores(), 1);
}

}  // namespace
}  // namespace strata::data
