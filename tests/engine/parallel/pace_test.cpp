// How predicted times follow the pace of cores that work together: by hand-made pieces.
#include "engine/parallel/pace.h"

#include <gtest/gtest.h>

#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

// Pieces of 2 s at their quickest, on two cores.
Pace two_cores() {
    return Pace({{2.0, 3.0, 2.0, 7.0}, {4.0, 2.0, 2.0, 2.0}}, 2.0);
}

TEST(Pace, APieceEndsWithTheLastCore) {
    // The longer of each pair: 4, 3, 2, 7; of an even number the upper middle, 4.
    EXPECT_DOUBLE_EQ(two_cores().slowdown(2.0), 2.0);
    EXPECT_DOUBLE_EQ(two_cores().slowdown(0.1), 2.0) << "shorter than a piece: one piece";
}

TEST(Pace, LongerWorkEvensOutWhatShortWorkMeets) {
    // Windows of two: (5, 6), (5, 4), (9, 4): 6, 5, 9, in the middle 6, for 4 s.
    EXPECT_DOUBLE_EQ(two_cores().slowdown(4.0), 1.5);
    // All four: 14 and 10, for 8 s.
    EXPECT_DOUBLE_EQ(two_cores().slowdown(8.0), 1.75);
    EXPECT_DOUBLE_EQ(two_cores().slowdown(1000.0), 1.75) << "longer than what was measured";
}

TEST(Pace, NothingIsQuickerThanTheQuickest) {
    EXPECT_DOUBLE_EQ(Pace({{1.0, 1.0, 1.0}}, 2.0).slowdown(2.0), 1.0);
}

TEST(Pace, IsMeasuredOnceForEachNumberOfCores) {
    const auto all = static_cast<int>(usable_cores().size());
    for (int cores : {1, all}) {
        const Pace& pace = measured_pace(cores);
        EXPECT_EQ(&pace, &measured_pace(cores));
        EXPECT_GE(pace.slowdown(1e-3), 1.0);
        EXPECT_GE(pace.slowdown(1.0), 1.0);
    }
    EXPECT_EQ(&measured_pace(0), &measured_pace(1));
    EXPECT_EQ(&measured_pace(all + 7), &measured_pace(all));
}

}  // namespace
}  // namespace strata::parallel
