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

// One layer over 8 ranks: 10 + 24/8 + 80/8 = 23.
TEST(CostFormulas, TensorParallelActivations) {
    const double sbh = 2048.0 * 2.0 * 12288.0;
    EXPECT_DOUBLE_EQ(transformer_activation_bytes(2048, 2, 12288, 96, false, 8), 23.0 * sbh);
    EXPECT_DOUBLE_EQ(transformer_activation_bytes(2048, 2, 12288, 96, true, 8), 2.0 * sbh);
}

// By hand: 8 ranks in nodes of 4. In the node 2 x 3 messages of 2 MB at 100 GB/s and 1 us; then 2
// messages of 1 MB between two nodes at 10 GB/s and 5 us.
TEST(CostFormulas, HierarchicalAllReduce) {
    const Link inner{1e11, 1e-6}, outer{1e10, 5e-6};
    EXPECT_NEAR(hierarchical_all_reduce_seconds(8e6, 8, 4, inner, outer),
                6 * (1e-6 + 2e6 / 1e11) + 2 * (5e-6 + 1e6 / 1e10), 1e-12);
    EXPECT_DOUBLE_EQ(hierarchical_all_reduce_seconds(8e6, 4, 4, inner, outer),
                     all_reduce_seconds(8e6, 4, inner));
    EXPECT_DOUBLE_EQ(hierarchical_all_reduce_seconds(8e6, 6, 1, inner, outer),
                     all_reduce_seconds(8e6, 6, outer));
}

TEST(CostFormulas, TreeAllReduce) {
    const Link link{1e10, 5e-6};
    EXPECT_NEAR(tree_all_reduce_seconds(1e8, 8, link), 2 * (3 * 5e-6 + 0.01), 1e-12);
    EXPECT_NEAR(tree_all_reduce_seconds(0, 4096, link), 24 * 5e-6, 1e-12);
    EXPECT_NEAR(tree_all_reduce_seconds(0, 5, link), 6 * 5e-6, 1e-12);
    EXPECT_EQ(tree_all_reduce_seconds(1e8, 1, link), 0.0);
}

// arXiv 2104.04473, tables 1 and 2: 1.7, 145.6, 174.6 and 1008.0 billion parameters.
TEST(CostFormulas, TransformerParameters) {
    EXPECT_NEAR(transformer_parameters({24, 2304, 24, 51200, 2048}), 1.7e9, 0.05e9);
    EXPECT_NEAR(transformer_parameters({80, 12288, 96, 51200, 2048}), 145.6e9, 0.05e9);
    EXPECT_NEAR(transformer_parameters({96, 12288, 96, 51200, 2048}), 174.6e9, 0.05e9);
    EXPECT_NEAR(transformer_parameters({128, 25600, 160, 51200, 2048}), 1008.0e9, 0.05e9);
}

// By hand for l = 1, h = 4, s = 6, V = 8 and one sequence: a layer's products forward are
// 24sh^2 + 4s^2h = 2880, the vocabulary's 2shV = 384.
TEST(CostFormulas, TransformerFlops) {
    const Transformer model{1, 4, 2, 8, 6};
    EXPECT_DOUBLE_EQ(transformer_flops(model, 1, false), 3 * (2880.0 + 384.0));
    EXPECT_DOUBLE_EQ(transformer_flops(model, 5, true), 5 * (4 * 2880.0 + 3 * 384.0));
}

TEST(CostFormulas, TensorParallelSums) {
    const Transformer model{1, 1000, 10, 8, 500};
    const Link link{1e11, 2e-6};
    EXPECT_DOUBLE_EQ(tensor_parallel_seconds(model, 2, 4, false, link),
                     4 * all_reduce_seconds(2e6, 4, link));
    EXPECT_DOUBLE_EQ(tensor_parallel_seconds(model, 2, 4, true, link),
                     6 * all_reduce_seconds(2e6, 4, link));
    EXPECT_EQ(tensor_parallel_seconds(model, 2, 1, true, link), 0.0);
}

// 50 s a checkpoint and 10 000 s between failures: every 1000 s, 5 % for writing, 5 % for what is
// lost; both neighbours are worse.
TEST(CostFormulas, Failures) {
    EXPECT_DOUBLE_EQ(seconds_between_failures(1e6, 100), 1e4);
    EXPECT_DOUBLE_EQ(checkpoint_interval_seconds(50, 1e4), 1000.0);
    EXPECT_DOUBLE_EQ(lost_share(50, 1e4), 0.1);
    for (const double interval : {900.0, 1100.0})
        EXPECT_GT(50 / interval + interval / 2e4, lost_share(50, 1e4));
}

TEST(CostFormulas, InterleavedSchedule) {
    EXPECT_DOUBLE_EQ(interleaved_overhead(4, 8, 2), 3.0 / 16.0);
    EXPECT_DOUBLE_EQ(interleaved_activation_factor(4, 2), 1.375);
}

}  // namespace
}  // namespace strata::parallel
