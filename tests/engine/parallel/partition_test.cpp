// The cuts into stages against all that there are, and models whose best cut is known.
#include "engine/parallel/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>

namespace strata::parallel {
namespace {

LayerCosts chain(const std::vector<double>& seconds) {
    LayerCosts costs;
    costs.seconds = seconds;
    for (int i = 0; i < costs.layers(); ++i)
        costs.reads.push_back(i == 0 ? std::vector<int>{} : std::vector<int>{i - 1});
    costs.copy_seconds.assign(seconds.size(), 0.0);
    costs.held_bytes.assign(seconds.size(), 0.0);
    costs.flight_bytes.assign(seconds.size(), 0.0);
    return costs;
}

StageLimits no_limits(int stages) {
    StageLimits limits;
    limits.in_flight.assign(static_cast<std::size_t>(stages), 1);
    return limits;
}

bool within(const LayerCosts& costs, const Cuts& cuts, const StageLimits& limits) {
    for (std::size_t s = 0; s < cuts.size() && !limits.bytes.empty(); ++s) {
        const int end = s + 1 < cuts.size() ? cuts[s + 1] : costs.layers();
        if (limits.bytes[s] > 0.0 &&
            stage_bytes(costs, cuts[s], end, limits.in_flight[s]) > limits.bytes[s])
            return false;
    }
    return true;
}

// The least of all chains; infinite where there is none.
double brute_force(const LayerCosts& costs, int micro_batches, const StageLimits& limits) {
    double best = std::numeric_limits<double>::infinity();
    Cuts cuts{0};
    const std::size_t stages = limits.in_flight.size();
    const std::function<void()> grow = [&] {
        if (cuts.size() == stages) {
            if (is_chain(costs, cuts) && within(costs, cuts, limits))
                best = std::min(best, pipeline_seconds(costs, cuts, micro_batches));
            return;
        }
        for (int next = cuts.back() + 1; next < costs.layers(); ++next) {
            cuts.push_back(next);
            grow();
            cuts.pop_back();
        }
    };
    grow();
    return best;
}

TEST(Partition, HalvesEqualLayers) {
    EXPECT_EQ(partition(chain({1, 1, 1, 1}), 4, no_limits(2)), (Cuts{0, 2}));
    EXPECT_EQ(partition(chain({1, 1, 1, 1, 1, 1}), 4, no_limits(3)), (Cuts{0, 2, 4}));
    EXPECT_EQ(partition(chain({9, 1, 1, 1}), 4, no_limits(2)), (Cuts{0, 1}));
    EXPECT_EQ(partition(chain({1, 2, 3, 4, 5}), 8, no_limits(2)), (Cuts{0, 3}))
        << "6 and 9, not 10";
}

// Of two cuts that balance as well, the one over which less goes.
TEST(Partition, CutsWhereLittleCrosses) {
    LayerCosts costs = chain({4, 0, 4});
    costs.copy_seconds = {1.0, 0.1, 0.0};
    EXPECT_EQ(partition(costs, 8, no_limits(2)), (Cuts{0, 2}));
    costs.copy_seconds = {0.1, 1.0, 0.0};
    EXPECT_EQ(partition(costs, 8, no_limits(2)), (Cuts{0, 1}));
}

// What is sent is the sender's work, once forward; its gradient is the other one's.
TEST(Partition, CountsEachCopyOnce) {
    LayerCosts costs = chain({1, 1, 1, 1});
    costs.copy_seconds = {0.25, 0.5, 0.125, 0};
    costs.reads = {{}, {0}, {0, 1}, {0, 2}};
    EXPECT_DOUBLE_EQ(stage_seconds(costs, 0, 2), 2.0 + 0.25 + 0.5);
    EXPECT_DOUBLE_EQ(stage_seconds(costs, 2, 4), 2.0 + 0.25 + 0.5);
    EXPECT_DOUBLE_EQ(stage_seconds(costs, 2, 3), 1.0 + 0.25 + 0.5 + 0.125);
    EXPECT_DOUBLE_EQ(pipeline_seconds(costs, {0, 2}, 4), 5.5 + 3 * 2.75);
}

TEST(Partition, KeepsWithinMemory) {
    LayerCosts costs = chain({1, 1, 1, 1});
    costs.held_bytes = {10, 10, 10, 10};
    costs.flight_bytes = {1, 1, 1, 1};
    StageLimits limits = no_limits(2);
    limits.in_flight = {2, 1};
    EXPECT_DOUBLE_EQ(stage_bytes(costs, 0, 2, 2), 24.0);
    costs.shares_with = {-1, 0, -1, 1};
    EXPECT_DOUBLE_EQ(stage_bytes(costs, 0, 2, 2), 14.0) << "variables of both are there once";
    EXPECT_DOUBLE_EQ(stage_bytes(costs, 1, 3, 2), 24.0);
    EXPECT_DOUBLE_EQ(stage_bytes(costs, 0, 4, 2), 28.0);
    costs.shares_with.clear();
    limits.bytes = {23, 0};
    EXPECT_EQ(partition(costs, 4, limits), (Cuts{0, 1})) << "two layers need 24";
    limits.bytes = {23, 30};
    EXPECT_FALSE(partition(costs, 4, limits));
    EXPECT_FALSE(partition(chain({1, 1}), 4, no_limits(3))) << "more stages than layers";
}

// 2 reads 0 and nothing between: as a third stage it would hang on the first.
TEST(Partition, KeepsBranchesInAChainOfStages) {
    LayerCosts costs = chain({1, 1, 1});
    costs.reads = {{}, {0}, {0}};
    EXPECT_FALSE(is_chain(costs, {0, 1, 2}));
    EXPECT_FALSE(partition(costs, 4, no_limits(3)));
    EXPECT_TRUE(partition(costs, 4, no_limits(2)));
}

TEST(Partition, IsTheBestOfAll) {
    std::mt19937 draw(7);
    const auto number = [&](double most) {
        return most * static_cast<double>(draw() % 1000) / 1e3;
    };
    int limited = 0, impossible = 0;
    for (int round = 0; round < 400; ++round) {
        const int layers = 2 + static_cast<int>(draw() % 8);
        LayerCosts costs = chain(std::vector<double>(static_cast<std::size_t>(layers)));
        for (int i = 0; i < layers; ++i) {
            const auto at = static_cast<std::size_t>(i);
            costs.seconds[at] = number(1.0);
            costs.copy_seconds[at] = number(round % 2 == 0 ? 0.02 : 0.5);
            costs.held_bytes[at] = number(10.0);
            costs.flight_bytes[at] = number(3.0);
            if (i == 0) continue;
            costs.reads[at] = {static_cast<int>(draw() % static_cast<unsigned>(i))};
            if (draw() % 2 == 0) costs.reads[at].push_back(i - 1);
        }
        const int stages = 1 + static_cast<int>(draw() % 4), m = 1 << (draw() % 4);
        StageLimits limits = no_limits(stages);
        for (int s = 0; s < stages; ++s)
            limits.in_flight[static_cast<std::size_t>(s)] = std::min(m, stages - s);
        if (round % 3 == 0)
            for (int s = 0; s < stages; ++s) limits.bytes.push_back(5.0 + number(60.0));
        const double best = brute_force(costs, m, limits);
        const std::optional<Cuts> cuts = partition(costs, m, limits);
        ASSERT_EQ(cuts.has_value(), best < std::numeric_limits<double>::infinity()) << round;
        if (!cuts) {
            ++impossible;
            continue;
        }
        limited += round % 3 == 0 ? 1 : 0;
        EXPECT_TRUE(is_chain(costs, *cuts));
        EXPECT_TRUE(within(costs, *cuts, limits));
        EXPECT_NEAR(pipeline_seconds(costs, *cuts, m), best, 1e-12) << round;
    }
    EXPECT_GT(limited, 30);
    EXPECT_GT(impossible, 20);
}

TEST(Partition, BytesAreDividedEvenlyWhateverTheTime) {
    LayerCosts costs = chain({9, 1, 1, 1, 1, 9});
    costs.held_bytes = {1, 1, 4, 4, 1, 1};
    costs.copy_seconds.assign(6, 5.0);
    EXPECT_EQ(partition_bytes(costs, {1, 1}), (Cuts{0, 3}));
    costs.flight_bytes = {3, 0, 0, 0, 0, 0};
    EXPECT_EQ(partition_bytes(costs, {2, 1}), (Cuts{0, 2}));
    EXPECT_EQ(partition_bytes(costs, {1, 1, 1, 1, 1, 1, 1}), std::nullopt);
}

}  // namespace
}  // namespace strata::parallel
