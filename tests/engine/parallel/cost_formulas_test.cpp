// The planner's formulas against numbers by hand and published figures.
#include "engine/parallel/cost_formulas.h"

#include <gtest/gtest.h>

namespace strata::parallel {
namespace {

// By hand: 100 MB over 4 ranks at 10 GB/s and 5 us: 6 messages of 25 MB.
TEST(CostFormulas, RingAllReduce) {
    const Link link{1e10, 5e-6};
    EXPECT_NEAR(all_reduce_seconds(1e8, 4, link), 6 * 5e-6 + 1.5 * 1e8 / 1e10, 1e-12);
    EXPECT_NEAR(reduce_scatter_seconds(1e8, 4, link), 3 * 5e-6 + 0.75 * 1e8 / 1e10, 1e-12);
    EXPECT_EQ(all_reduce_seconds(1e8, 1, link), 0.0);
    EXPECT_NEAR(transfer_seconds(1e6, link), 105e-6, 1e-15);
}

// arXiv 1910.02054, figure 1: 7.5 billion parameters on 64 devices need 120 GB, and 31.4 GB with
// ZeRO-1; there the gradients are 16 bit, 2 bytes a parameter less than here.
TEST(CostFormulas, AgreesWithThePublishedFigureOfZeRO) {
    const double parameters = 7.5e9;
    const double all = adam_bytes_per_parameter(true, false, 64).total() - 2.0;
    const double sharded = adam_bytes_per_parameter(true, true, 64).total() - 2.0;
    EXPECT_NEAR(parameters * all, 120e9, 1e-3 * 120e9);
    EXPECT_NEAR(parameters * sharded, 31.4e9, 0.01 * 31.4e9);
}

TEST(CostFormulas, KeepsTheWeightsThatLayersRead) {
    EXPECT_DOUBLE_EQ(adam_bytes_per_parameter(false, false, 1).total(), 16.0);
    EXPECT_DOUBLE_EQ(adam_bytes_per_parameter(false, true, 4).total(), 4.0 + 4.0 + 2.0);
    EXPECT_DOUBLE_EQ(adam_bytes_per_parameter(true, true, 4).total(), 2.0 + 1.0 + 4.0 + 2.0);
}

// arXiv 2205.05198, GPT-3's layer: s 2048, h 12288, a 96: 5as/h = 80, so 114 sbh against 2 sbh.
TEST(CostFormulas, TransformerActivations) {
    const double sbh = 2048.0 * 1.0 * 12288.0;
    EXPECT_DOUBLE_EQ(transformer_activation_bytes(2048, 1, 12288, 96, false), 114.0 * sbh);
    EXPECT_DOUBLE_EQ(transformer_activation_bytes(2048, 1, 12288, 96, true), 2.0 * sbh);
}

TEST(CostFormulas, InterleavedSchedule) {
    EXPECT_DOUBLE_EQ(interleaved_overhead(4, 8, 2), 3.0 / 16.0);
    EXPECT_DOUBLE_EQ(interleaved_activation_factor(4, 2), 1.375);
}

}  // namespace
}  // namespace strata::parallel
