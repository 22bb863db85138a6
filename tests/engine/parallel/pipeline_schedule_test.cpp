// Orders of work in a pipeline: lengths, idle shares and activations by the papers' formulas.
#include "engine/parallel/pipeline_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine/core/error.h"

namespace strata::parallel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array all_kinds{ScheduleKind::naive, ScheduleKind::gpipe, ScheduleKind::one_f_one_b,
                               ScheduleKind::interleaved};

// Equal stages: forward 1 and backward 2 units a device, shared by its chunks.
StageTimes equal(const StageGraph& stages, double transfer = 0.0) {
    const double share = static_cast<double>(stages.devices()) / stages.stages();
    return {std::vector<double>(stages.device.size(), share),
            std::vector<double>(stages.device.size(), 2.0 * share), transfer};
}

Timeline timeline_of(ScheduleKind kind, const StageGraph& stages, int micro_batches) {
    return simulate(make_schedule(kind, stages, micro_batches), stages, equal(stages));
}

std::string message_of(ScheduleKind kind, const StageGraph& stages, int micro_batches) {
    try {
        make_schedule(kind, stages, micro_batches);
    } catch (const Error& error) {
        return std::string(error.what());
    }
    return "no error";
}

// SEMANTICS "Model and pipeline parallelism".
TEST(PipelineSchedule, FourStagesAndEightMicroBatchesTakeThirtyThreeUnits) {
    const StageGraph stages = StageGraph::chain(4);
    const Schedule gpipe = make_schedule(ScheduleKind::gpipe, stages, 8);
    const Schedule one = make_schedule(ScheduleKind::one_f_one_b, stages, 8);
    EXPECT_DOUBLE_EQ(simulate(gpipe, stages, equal(stages)).length, 33.0);
    EXPECT_DOUBLE_EQ(simulate(one, stages, equal(stages)).length, 33.0);
    EXPECT_THAT(micro_batches_in_flight(gpipe, 4), ElementsAre(8, 8, 8, 8));
    EXPECT_THAT(micro_batches_in_flight(one, 4), ElementsAre(4, 3, 2, 1));
}

TEST(PipelineSchedule, FollowsTheFormulaOfTheIdleShare) {
    for (int p : {1, 2, 3, 4, 7})
        for (int m : {1, 2, 3, 5, 8, 16}) {
            const StageGraph stages = StageGraph::chain(p);
            for (auto kind : {ScheduleKind::gpipe, ScheduleKind::one_f_one_b}) {
                const Timeline timeline = timeline_of(kind, stages, m);
                EXPECT_DOUBLE_EQ(timeline.length, 3.0 * (m + p - 1)) << p << " " << m;
                EXPECT_NEAR(timeline.idle_share(), (p - 1.0) / (m + p - 1.0), 1e-12);
                EXPECT_NEAR(timeline.idle_share(), idle_share_formula(kind, p, m), 1e-12);
            }
            const Timeline naive = timeline_of(ScheduleKind::naive, stages, m);
            EXPECT_DOUBLE_EQ(naive.length, 3.0 * m * p);
            EXPECT_NEAR(naive.idle_share(), idle_share_formula(ScheduleKind::naive, p, m), 1e-12);
        }
}

TEST(PipelineSchedule, HoldsFewMicroBatchesWithOneForwardOneBackward) {
    for (int p : {2, 3, 6})
        for (int m : {1, 2, 4, 9}) {
            const auto flight = micro_batches_in_flight(
                make_schedule(ScheduleKind::one_f_one_b, StageGraph::chain(p), m), p);
            for (int stage = 0; stage < p; ++stage)
                EXPECT_EQ(flight[static_cast<std::size_t>(stage)], std::min(m, p - stage));
        }
    EXPECT_THAT(
        micro_batches_in_flight(make_schedule(ScheduleKind::naive, StageGraph::chain(3), 5), 3),
        ElementsAre(1, 1, 1));
}

// arXiv 2104.04473, section 2.2: the idle time is (p-1)(f+b)/v beside m(f+b) of work.
TEST(PipelineSchedule, InterleavesByTheFormula) {
    for (int p : {2, 4})
        for (int v : {2, 3})
            for (int m : {p, 2 * p, 4 * p}) {
                const StageGraph stages = StageGraph::chain(p, v);
                const Timeline timeline = timeline_of(ScheduleKind::interleaved, stages, m);
                EXPECT_NEAR(timeline.length, 3.0 * m + 3.0 * (p - 1) / v, 1e-9)
                    << p << " " << v << " " << m;
                const double overhead = timeline.length / (3.0 * m) - 1.0;
                EXPECT_NEAR(overhead, (p - 1.0) / (v * m), 1e-12);
                EXPECT_NEAR(timeline.idle_share(),
                            idle_share_formula(ScheduleKind::interleaved, p, m, v), 1e-12);
            }
}

// The published factor of activations, those of a chunk being 1/v of a stage's: 1 + (p-1)/(pv)
// times the p of 1F1B.
TEST(PipelineSchedule, InterleavedHoldsMoreActivations) {
    for (int p : {2, 4})
        for (int v : {2, 4}) {
            const Schedule schedule =
                make_schedule(ScheduleKind::interleaved, StageGraph::chain(p, v), 4 * p);
            int now = 0, most = 0;
            for (const StageTask& task : schedule[0]) {
                now += task.backward ? -1 : 1;
                most = std::max(most, now);
            }
            EXPECT_DOUBLE_EQ(static_cast<double>(most) / v, p * (1.0 + (p - 1.0) / (p * v)));
        }
}

TEST(PipelineSchedule, DoesEachTaskOnceAndInAscendingOrder) {
    for (auto kind : all_kinds)
        for (int p : {1, 2, 4}) {
            const StageGraph stages = StageGraph::chain(p, 2);
            const int m = 2 * p;
            const Schedule schedule = make_schedule(kind, stages, m);
            std::vector<int> next(static_cast<std::size_t>(4 * p), 0);
            for (std::size_t device = 0; device < schedule.size(); ++device)
                for (const StageTask& task : schedule[device]) {
                    EXPECT_EQ(task.stage % p, static_cast<int>(device));
                    const auto place =
                        static_cast<std::size_t>(2 * task.stage + (task.backward ? 1 : 0));
                    EXPECT_EQ(task.micro_batch, next[place]++) << name_of(kind);
                }
            EXPECT_THAT(next, ::testing::Each(m)) << name_of(kind);
        }
}

// Two branches on two devices between a stem and a head: they run at the same time.
TEST(PipelineSchedule, RunsBranchesSideBySide) {
    StageGraph stages;
    stages.device = {0, 0, 1, 0};
    stages.reads = {{}, {0}, {0}, {1, 2}};
    EXPECT_EQ(stages.chunks(), 0);
    for (auto kind : {ScheduleKind::naive, ScheduleKind::gpipe, ScheduleKind::one_f_one_b}) {
        const Schedule schedule = make_schedule(kind, stages, 3);
        const Timeline timeline = simulate(schedule, stages, {{1, 2, 2, 1}, {2, 4, 4, 2}, 0.25});
        EXPECT_EQ(timeline.devices[0].size(), 18u);
        EXPECT_EQ(timeline.devices[1].size(), 6u);
        EXPECT_LT(timeline.length, 3 * 18.0) << name_of(kind);
    }
}

// Back on the first device after another: the same device twice in the chain, not dealt out evenly.
TEST(PipelineSchedule, ReturnsToADevice) {
    StageGraph stages;
    stages.device = {0, 1, 0};
    stages.reads = {{}, {0}, {1}};
    const Timeline timeline = timeline_of(ScheduleKind::one_f_one_b, stages, 6);
    double sum = 0.0;
    for (std::size_t device = 0; device < 2; ++device) sum += timeline.busy(device);
    EXPECT_NEAR(sum, 6 * 3 * 3 * 2.0 / 3.0, 1e-9);
    EXPECT_THAT(message_of(ScheduleKind::interleaved, stages, 4), HasSubstr("dealt out in turn"));
}

TEST(PipelineSchedule, CountsTheTransfers) {
    const StageGraph stages = StageGraph::chain(3);
    const Schedule schedule = make_schedule(ScheduleKind::gpipe, stages, 1);
    EXPECT_DOUBLE_EQ(simulate(schedule, stages, equal(stages, 0.5)).length, 9.0 + 4 * 0.5);
}

// 4 stages on 2 devices; the third reads the first one, too, and a branch begins at the first.
TEST(PipelineSchedule, InterleavesStagesThatAreSkippedOrStandSideBySide) {
    StageGraph chain = StageGraph::chain(2, 2);
    const Schedule expected = make_schedule(ScheduleKind::interleaved, chain, 4);
    for (const std::vector<std::vector<int>>& reads :
         {std::vector<std::vector<int>>{{}, {0}, {0, 1}, {2}}, {{}, {0}, {0}, {1, 2}}}) {
        StageGraph stages = chain;
        stages.reads = reads;
        EXPECT_EQ(stages.chunks(), 2);
        const Schedule schedule = make_schedule(ScheduleKind::interleaved, stages, 4);
        EXPECT_EQ(schedule, expected);
        EXPECT_EQ(simulate(schedule, stages, equal(stages, 0.0)).length,
                  timeline_of(ScheduleKind::interleaved, chain, 4).length)
            << "nobody waits for each other";
    }
}

TEST(PipelineSchedule, RefusesWhatCannotBeInterleaved) {
    const StageGraph stages = StageGraph::chain(4, 2);
    EXPECT_THAT(message_of(ScheduleKind::interleaved, stages, 6),
                HasSubstr("6 micro-batches are not a multiple of the 4 devices"));
    EXPECT_EQ(message_of(ScheduleKind::interleaved, stages, 8), "no error");
    EXPECT_THAT(message_of(ScheduleKind::gpipe, stages, 0), HasSubstr("micro"));
}

TEST(PipelineSchedule, KnowsItsNames) {
    for (auto kind : all_kinds) EXPECT_EQ(schedule_kind(name_of(kind), "placement"), kind);
    try {
        schedule_kind("zigzag", "placement.schedule");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.hint(), HasSubstr("1f1b"));
    }
}

}  // namespace
}  // namespace strata::parallel
