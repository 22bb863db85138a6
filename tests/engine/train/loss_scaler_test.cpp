// The loss scale: traces of SEMANTICS "Mixed precision" and others by the same rule.
#include "engine/train/loss_scaler.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace strata::train {
namespace {

using Trace = std::vector<std::pair<double, std::int64_t>>;

// One step for each letter: o for finite, x for overflow.
Trace trace_of(LossScaler& scaler, const std::string& steps) {
    Trace trace;
    for (char step : steps) {
        scaler.update(step == 'o');
        trace.emplace_back(scaler.scale(), scaler.state()->finite_steps);
    }
    return trace;
}

TEST(LossScaler, GrowsAfterFiniteStepsAndBacksOffOnOverflow) {
    LossScaler scaler({.dynamic = true, .initial = 65536, .growth_interval = 2}, true);
    EXPECT_EQ(trace_of(scaler, "oooxoo"),
              (Trace{{65536, 1}, {131072, 0}, {131072, 1}, {65536, 0}, {65536, 1}, {131072, 0}}));
    LossScaler slower({.dynamic = true, .initial = 8, .growth_interval = 3}, true);
    EXPECT_EQ(trace_of(slower, "ooxxoooo"),
              (Trace{{8, 1}, {8, 2}, {4, 0}, {2, 0}, {2, 1}, {2, 2}, {4, 0}, {4, 1}}));
}

TEST(LossScaler, DoublesAfter2000AlsoAcrossACheckpoint) {
    LossScaler before({}, true);
    EXPECT_EQ(before.scale(), 32768.0);
    for (int i = 0; i < 1999; ++i) EXPECT_FALSE(before.update(true));
    LossScaler after({}, true);
    after.restore(before.state());
    EXPECT_EQ(after.scale(), 32768.0);
    EXPECT_TRUE(after.update(true));
    EXPECT_EQ(after.scale(), 65536.0);
}

TEST(LossScaler, NeverBelowOneAndNeverInfinite) {
    LossScaler low({.dynamic = true, .initial = 2, .growth_interval = 2000}, true);
    EXPECT_TRUE(low.update(false));
    EXPECT_EQ(low.scale(), 1.0);
    EXPECT_THROW(low.update(false), Error);
    LossScaler high({.dynamic = true, .initial = 0x1p126, .growth_interval = 1}, true);
    EXPECT_TRUE(high.update(true));
    EXPECT_FALSE(high.update(true));
    EXPECT_EQ(high.scale(), 0x1p127);
}

TEST(LossScaler, AFixedScaleStaysAndGivesUpInTheEnd) {
    LossScaler scaler({.dynamic = false, .initial = 1024, .growth_interval = 1}, true);
    for (int i = 0; i < 99; ++i) EXPECT_FALSE(scaler.update(false));
    EXPECT_FALSE(scaler.update(true));
    for (int i = 0; i < 99; ++i) EXPECT_FALSE(scaler.update(false));
    EXPECT_EQ(scaler.scale(), 1024.0);
    EXPECT_THROW(scaler.update(false), Error);
}

TEST(LossScaler, IsOneWhereNothingIsFloat16) {
    LossScaler scaler({}, false);
    EXPECT_EQ(scaler.scale(), 1.0);
    EXPECT_FALSE(scaler.update(false));
    EXPECT_EQ(scaler.scale(), 1.0);
    EXPECT_FALSE(scaler.state());
}

}  // namespace
}  // namespace strata::train
