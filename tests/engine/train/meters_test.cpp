// Which of several measured batches is shown.
#include "engine/train/meters.h"

#include <gtest/gtest.h>

namespace strata::train {
namespace {

TimelineEvent batch(std::int64_t update, double seconds) {
    TimelineEvent event;
    event.update = update;
    event.seconds = seconds;
    event.blocks.push_back({0, 0, 0, false, 0.0, seconds});
    return event;
}

TEST(TypicalBatch, IsTheOneOfMedianLength) {
    const TimelineEvent one = typical({batch(7, 0.5)});
    EXPECT_EQ(one.update, 7);
    // One that another program held up, and one that was lucky.
    const TimelineEvent odd =
        typical({batch(1, 40.0), batch(2, 1.25), batch(3, 0.25), batch(4, 1.0), batch(5, 1.5)});
    EXPECT_EQ(odd.update, 2);
    EXPECT_EQ(odd.seconds, 1.25);
    ASSERT_EQ(odd.blocks.size(), 1U);
    EXPECT_EQ(odd.blocks[0].end, 1.25) << "its own blocks";
    EXPECT_EQ(typical({batch(1, 4.0), batch(2, 2.0)}).update, 2);
}

}  // namespace
}  // namespace strata::train
