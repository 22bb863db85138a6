// BatchNormalization in several processes, here threads that share nothing but a communicator:
// statistics of all replicas of all of them, and moving averages that count by samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/engine/parallel/counting_communicator.h"
#include "tests/engine/parallel/in_world.h"

namespace strata::parallel {
namespace {

using graph::HostTensor;
using graph::Model;
using graph::TrainingSetup;
using graph::testing::layer;
using graph::testing::model_of;
using graph::testing::setup_of;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using testing::Layout;
using testing::layout;
using ::testing::Not;
using ::testing::Pointwise;
using testing::WorldCase;
using Values = std::vector<float>;

auto near(const Values& values) {
    return Pointwise(FloatNear(1e-6F), values);
}

std::vector<WorldCase> cases() {
    using enum ScheduleKind;
    return {{"2_processes", 2, layout(1, 1, one_f_one_b, 1)},
            {"3_processes", 3, layout(1, 1, one_f_one_b, 1)},
            {"2_of_2_replicas", 2, layout(2, 1, naive, 1)},
            {"2_of_3_replicas_whole_optimizer", 2, layout(3, 1, naive, 1), false},
            {"3_pipelines", 3, layout(1, 2, gpipe, 1)},
            {"2_of_2_x_2", 2, layout(2, 2, one_f_one_b, 1)}};
}

class EachWorldWithNorm : public ::testing::TestWithParam<WorldCase> {};

// One device normalises each whole batch by its own statistics; so do the processes together, also
// where a batch is short and some of them have no sample.
TEST_P(EachWorldWithNorm, TrainsAsOneDevice) {
    const TrainingSetup setup = setup_of();
    testing::expect_world_as_one(GetParam(), testing::synchronized(graph::testing::branches()),
                                 setup, {20, 12, 0.005F});
}

INSTANTIATE_TEST_SUITE_P(Worlds, EachWorldWithNorm, ::testing::ValuesIn(cases()),
                         [](const auto& use) { return use.param.name; });

// ---- by hand

// One number a sample, and its moving mean and variance after windows of batches.
class OneNumber {
public:
    OneNumber(double momentum, bool synchronized, const PlacementOptions& placement,
              Communicator* world = nullptr)
        : setup_(setup_of()) {
        setup_.accumulates = true;
        const Model model =
            model_of({layer("input", "InputLayer", {{"shape", {1}}}),
                      layer("norm", "BatchNormalization",
                            {{"momentum", momentum}, {"synchronized", synchronized}}),
                      layer("output", "Dense", {{"units", 2}, {"activation", "softmax"}})});
        executor_ = std::make_unique<PlacedExecutor>(model, &setup_, testing::one_thread(8),
                                                     placement, world);
        executor_->initialize(1);
    }

    Values after(const std::vector<Values>& batches) {
        ops::StepScalars scalars = graph::testing::scalars_of(0.0F);
        std::int64_t samples = 0;
        for (std::size_t k = 0; k < batches.size(); ++k) {
            const std::vector<std::int32_t> labels(batches[k].size(), 1);
            scalars.first_in_window = k == 0;
            scalars.last_in_window = k + 1 == batches.size();
            executor_->accumulate(batches[k].data(), labels.data(), std::ssize(labels), scalars);
            samples += std::ssize(labels);
        }
        executor_->update(samples, scalars);
        Values result;
        for (const HostTensor& tensor : executor_->snapshot(false))
            if (tensor.role.starts_with("moving")) result.push_back(tensor.values[0]);
        return result;
    }

private:
    TrainingSetup setup_;
    std::unique_ptr<PlacedExecutor> executor_;
};

PlacementOptions replicas(int count, int micro_batches = 1) {
    return layout(count, 1, ScheduleKind::gpipe, micro_batches).placement;
}

// [0,0,0] and [4] have mean 1 and biased variance 3; momentum 0 shows both.
TEST(WorldNorm, UnevenProcesses) {
    for (const int count : {1, 2})
        testing::expect_no_errors(2, [&](Communicator& world) {
            OneNumber norm(0.0, true, replicas(count), &world);
            const bool first = world.rank() == 0;
            EXPECT_THAT(norm.after({first ? Values{0, 0, 0} : Values{4}}), near({1, 3}));
            EXPECT_THAT(norm.after({first ? Values{} : Values{-1, 5}}), near({2, 9}));
            EXPECT_THAT(norm.after({first ? Values{7, 1, 1} : Values{}}), near({3, 8}));
            EXPECT_THAT(norm.after({{}}), near({3, 8})) << "nobody has any";
            EXPECT_THAT(norm.after({first ? Values{2} : Values{0, 0, 0, 0, 0, 0, 6}}),
                        near({1, 4}));
        });
}

// In a window each process may be the one that lacks a batch, or a micro-batch of it: all averages
// have followed all statistics. Momentum 1/2, from mean 0 and variance 1.
TEST(WorldNorm, FollowsWhatOnlyOthersHave) {
    testing::expect_no_errors(2, [&](Communicator& world) {
        OneNumber norm(0.5, true, replicas(1), &world);
        const bool first = world.rank() == 0;
        // Batches of mean 4 and variance 16, 8 and 0, 2 and 1.
        EXPECT_THAT(norm.after({first ? Values{0, 8} : Values{}, first ? Values{} : Values{8},
                                first ? Values{3} : Values{1}}),
                    near({0.5F * (0.5F * (0.5F * 4 + 8)) + 1, 0.5F * (0.5F * (0.5F * 17)) + 0.5F}));
    });
    testing::expect_no_errors(2, [&](Communicator& world) {
        OneNumber norm(0.5, true, replicas(1, 2), &world);
        // Micro-batches {0, 0, 6} and {2, 4}, then {5}.
        EXPECT_THAT(norm.after({world.rank() == 0 ? Values{0, 0, 2} : Values{6, 4}}),
                    near({0.5F * 1 + 0.5F * 3, 0.5F * (0.5F * 1 + 0.5F * 8) + 0.5F * 1}));
        EXPECT_THAT(norm.after({world.rank() == 0 ? Values{} : Values{5}}),
                    near({0.5F * 2 + 2.5F, 0.5F * 2.75F}));
    });
}

// Replica 0 of each batch has the larger half. Each takes its own mean m and variance v; the
// average of the moving ones counts by samples.
TEST(WorldNorm, MovingAveragesCountBySamples) {
    OneNumber norm(0.5, false, replicas(2));
    // {0, 3, 6}: 3 and 6; {8, 10}: 9 and 1.
    EXPECT_THAT(norm.after({{0, 3, 6, 8, 10}}),
                near({0.5F * (3 * 3 + 2 * 9) / 5, 0.5F + 0.5F * (3 * 6 + 2 * 1) / 5}));
    // From 2.7 and 2.5; {2, 4} and {6}: 3 and 1, 6 and 0.
    EXPECT_THAT(norm.after({{2, 4, 6}}),
                near({0.5F * 2.7F + 0.5F * (2 * 3 + 6) / 3, 0.5F * 2.5F + 0.5F * 2 * 1 / 3}));
}

TEST(WorldNorm, ReplicasWithoutSamplesDoNotCount) {
    OneNumber norm(0.75, false, replicas(4));
    // {1, 2}, {6}, {7}, {9}, and in the second window {3} alone.
    EXPECT_THAT(norm.after({{1, 2, 6, 7, 9}}), near({0.25F * 5, 0.75F + 0.25F * 2 * 0.25F / 5}));
    EXPECT_THAT(norm.after({{3}}), near({0.75F * 1.25F + 0.25F * 3, 0.75F * 0.775F}));
}

// A window of {0, 3, 6} and {8, 10}, then {2} for replica 0 alone: 4 samples and 2.
TEST(WorldNorm, MovingAveragesCountByTheSamplesOfTheWindow) {
    OneNumber norm(0.5, false, replicas(2));
    const float mean = 0.5F * (0.5F * 3) + 0.5F * 2, other = 0.5F * 9;
    const float variance = 0.5F * (0.5F * 1 + 0.5F * 6), others = 0.5F * 1 + 0.5F * 1;
    EXPECT_THAT(norm.after({{0, 3, 6, 8, 10}, {2}}),
                near({(4 * mean + 2 * other) / 6, (4 * variance + 2 * others) / 6}));
}

TEST(WorldNorm, MovingAveragesCountBySamplesOfAllProcesses) {
    for (const bool sharded : {true, false})
        testing::expect_no_errors(2, [&](Communicator& world) {
            PlacementOptions placement = replicas(2);
            placement.sharded_optimizer = sharded;
            OneNumber norm(0.5, false, placement, &world);
            // {0, 3, 6}: 3 and 6; {8, 10}: 9 and 1; {5}, {1}.
            const Values own = world.rank() == 0 ? Values{0, 3, 6, 8, 10} : Values{5, 1};
            EXPECT_THAT(norm.after({own}), near({0.5F * (3 * 3 + 2 * 9 + 5 + 1) / 7,
                                                 0.5F + 0.5F * (3 * 6 + 2 * 1) / 7}));
        });
}

// A rank ends somewhere in the middle, also while the sums of a layer are under way: the others say
// so and end, too.
TEST(WorldNorm, ARankThatEndsEndsAll) {
    const TrainingSetup setup = setup_of();
    const Layout way = layout(2, 2, ScheduleKind::one_f_one_b, 2);
    const Model model = testing::placed(testing::synchronized(graph::testing::branches()), way);
    const testing::Batch data = testing::batch_for(model, 12, 1);
    for (int i = 0; i < 60; ++i) {
        const auto messages = testing::in_world(3, [&](Communicator& world) {
            testing::CountingCommunicator counting(world);
            if (world.rank() == i % 3) counting.fail_at(1 + i);
            PlacedExecutor many(model, &setup, testing::one_thread(12), way.placement, &counting);
            many.initialize(1);
            for (int step = 1;; ++step)
                many.train_step(data.inputs.data(), data.labels.data(), 12,
                                graph::testing::scalars_of(0.01F, step));
        });
        EXPECT_THAT(messages, Each(AllOf(HasSubstr("unplugged"), Not(HasSubstr("layer '"))))) << i;
    }
}

}  // namespace
}  // namespace strata::parallel
