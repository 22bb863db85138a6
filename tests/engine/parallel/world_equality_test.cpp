// Several processes, here threads that share nothing but a communicator, train one model as one
// device does: SEMANTICS "Data parallelism" where ranks have different numbers of samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "tests/engine/parallel/counting_communicator.h"
#include "tests/engine/parallel/equality.h"
#include "tests/engine/parallel/in_world.h"

namespace strata::parallel {
namespace {

using graph::HostTensor;
using graph::Model;
using graph::TrainingSetup;
using graph::testing::layer;
using graph::testing::model_of;
using graph::testing::setup_of;
using testing::CountingCommunicator;
using ::testing::Each;
using testing::expect_no_errors;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using testing::in_world;
using testing::Layout;
using testing::layout;
using ::testing::Pointwise;

using Values = std::vector<float>;

auto near(const Values& values, float tolerance = 1e-6F) {
    return Pointwise(FloatNear(tolerance), values);
}

// A kernel of 0 and targets of -1/2 under a squared error: a sample's gradient is its input.
class MeanOfInputs {
public:
    MeanOfInputs(std::int64_t width, const PlacementOptions& placement, Communicator& world,
                 ops::ClipKind clip = ops::ClipKind::none)
        : width_(width), setup_(setup_of("SGD", Json::object(), "mean_squared_error", {})) {
        setup_.accumulates = true;
        setup_.clip = clip;
        executor_ = std::make_unique<PlacedExecutor>(
            model_of({layer("input", "InputLayer", {{"shape", {width}}}),
                      layer("output", "Dense", {{"units", 1}, {"use_bias", false}})}),
            &setup_, testing::one_thread(16), placement, &world);
        executor_->initialize(0);
    }

    // This process's batches of a window, of which each may be empty; minus the kernel afterwards.
    Values step(const std::vector<Values>& batches, float clip_limit = 0.0F) {
        executor_->restore(std::vector<HostTensor>{
            {"output", "kernel", "", Shape{width_, 1}, Values(static_cast<std::size_t>(width_))}});
        ops::StepScalars scalars = graph::testing::scalars_of(1.0F);
        scalars.clip_limit = clip_limit;
        std::int64_t before = 0;
        for (std::size_t k = 0; k < batches.size(); ++k) {
            const auto n = static_cast<std::int64_t>(batches[k].size()) / width_;
            const Values t(static_cast<std::size_t>(n), -0.5F);
            scalars.first_in_window = k == 0;
            scalars.last_in_window = k + 1 == batches.size();
            scalars.samples_before = before;
            executor_->accumulate(batches[k].data(), t.data(), n, scalars);
            before += n;
        }
        last = executor_->update(before, scalars);
        Values moved = executor_->snapshot(false).at(0).values;
        for (float& value : moved) value = -value;
        return moved;
    }

    graph::UpdateResult last;

private:
    std::int64_t width_;
    TrainingSetup setup_;
    std::unique_ptr<PlacedExecutor> executor_;
};

// Replicas of each process, and whether the optimizer is sharded.
std::vector<PlacementOptions> placements() {
    std::vector<PlacementOptions> all;
    for (const int replicas : {1, 2})
        for (const bool sharded : {true, false}) {
            all.push_back(layout(replicas, 1, ScheduleKind::one_f_one_b, 1).placement);
            all.back().sharded_optimizer = sharded;
        }
    return all;
}

TEST(WorldEquality, AveragesOverSamplesOfAllRanks) {
    for (const PlacementOptions& placement : placements()) {
        expect_no_errors(2, [&](Communicator& world) {
            MeanOfInputs mean(1, placement, world);
            const bool first = world.rank() == 0;
            EXPECT_THAT(mean.step({first ? Values{1, 2, 3} : Values{10}}), near({4}));
            EXPECT_EQ(mean.last.samples, 4);
            EXPECT_THAT(mean.step({first ? Values{-6} : Values{1, 1, 1, 1, 2}}), near({0}));
            EXPECT_THAT(mean.step({first ? Values{2, 2, 2, 2, 2, 2, 2} : Values{}}), near({2}));
            EXPECT_EQ(mean.last.samples, 7);
        });
        expect_no_errors(3, [&](Communicator& world) {
            MeanOfInputs mean(1, placement, world);
            const std::vector<Values> own{{9, 9}, {}, {0, 0, 0, 3}};
            EXPECT_THAT(mean.step({own[static_cast<std::size_t>(world.rank())]}), near({3.5F}));
        });
    }
}

// Rank 1 has no more batches: the gradient of 1 stays 1 and does not become 0.5.
TEST(WorldEquality, RanksWithDifferentNumbersOfBatches) {
    for (const PlacementOptions& placement : placements())
        expect_no_errors(2, [&](Communicator& world) {
            MeanOfInputs mean(1, placement, world);
            EXPECT_THAT(mean.step({{1, 1}}), near({1}));
            EXPECT_EQ(mean.last.samples, 4);
            const Values more = world.rank() == 0 ? Values{1, 1} : Values{};
            EXPECT_THAT(mean.step({more}), near({1}));
            EXPECT_EQ(mean.last.samples, 2);
            EXPECT_TRUE(mean.last.applied);
            EXPECT_THAT(mean.step({{}}), near({0})) << "nobody has any";
            EXPECT_EQ(mean.last.samples, 0);
            EXPECT_THAT(mean.step({{3}}), near({3})) << "and all again";
        });
}

// The window's divisor is the number of samples of all ranks: 20 over 10, not a mean of means.
TEST(WorldEquality, AccumulatesOverSamplesOfAllRanks) {
    for (const PlacementOptions& placement : placements())
        expect_no_errors(2, [&](Communicator& world) {
            MeanOfInputs mean(1, placement, world);
            const bool first = world.rank() == 0;
            EXPECT_THAT(mean.step({first ? Values{5, 5} : Values{1, 1, 1, 1},
                                   first ? Values{} : Values{1.5F, 1.5F, 1.5F, 1.5F}}),
                        near({2}));
            EXPECT_THAT(
                mean.step({first ? Values{1} : Values{}, first ? Values{} : Values{4}, {1, 1}}),
                near({1.5F}));
        });
}

TEST(WorldEquality, ClipsAfterTheSum) {
    for (const PlacementOptions& placement : placements())
        expect_no_errors(2, [&](Communicator& world) {
            MeanOfInputs mean(2, placement, world, ops::ClipKind::global_norm);
            const bool first = world.rank() == 0;
            EXPECT_THAT(mean.step({first ? Values{3, 0} : Values{0, 4}}, 1.0F), near({0.6F, 0.8F}));
            EXPECT_NEAR(mean.last.gradient_norm, 2.5, 1e-6);
            EXPECT_THAT(mean.step({first ? Values{12, 0, 0, 0, 0, 0} : Values{0, 5}}, 0.65F),
                        near({0.6F, 0.25F}));
            EXPECT_NEAR(mean.last.gradient_norm, 3.25, 1e-6);
        });
}

TEST(WorldEquality, AnInfOnOneRankSkipsTheStepOnAll) {
    for (const PlacementOptions& placement : placements())
        expect_no_errors(3, [&](Communicator& world) {
            MeanOfInputs mean(1, placement, world);
            for (const int bad : {0, 1, 2}) {
                const float infinity = std::numeric_limits<float>::infinity();
                EXPECT_THAT(mean.step({{1, world.rank() == bad ? infinity : 2.0F}}), near({0}));
                EXPECT_FALSE(mean.last.applied);
                EXPECT_THAT(mean.step({{1, 2}}), near({1.5F}));
                EXPECT_TRUE(mean.last.applied);
            }
        });
}

// However many micro-batches make a window, it is added up once, and clipping costs nothing more
// than the sum of the squares.
TEST(WorldEquality, CommunicatesOnceAWindow) {
    std::map<std::string, std::vector<std::pair<int, std::size_t>>> calls;
    for (const int parts : {1, 2, 6})
        for (const auto clip : {ops::ClipKind::none, ops::ClipKind::global_norm})
            expect_no_errors(2, [&](Communicator& world) {
                CountingCommunicator counting(world);
                MeanOfInputs mean(300, layout(2, 1, ScheduleKind::one_f_one_b, 1).placement,
                                  counting, clip);
                counting.reset();
                const std::vector<Values> batches(static_cast<std::size_t>(parts),
                                                  Values(600, 1.0F));
                EXPECT_THAT(mean.step(batches, 1e9F), Each(FloatNear(1.0F, 1e-6F)));
                if (world.rank() == 0)
                    calls["sums"].emplace_back(counting.calls(), counting.bytes());
            });
    ASSERT_EQ(calls["sums"].size(), 6U);
    EXPECT_THAT(calls["sums"], Each(calls["sums"].front()));
    EXPECT_LE(calls["sums"].front().second, 2 * 300 * sizeof(float) + 64);
}

// ---- whole models

struct Case : testing::WorldCase {
    std::function<void(TrainingSetup&)> prepare = [](TrainingSetup&) {};
    double tolerance = 1e-5;
};

std::vector<Case> cases() {
    using enum ScheduleKind;
    std::vector<Case> all{{{"2_processes", 2, layout(1, 1, one_f_one_b, 1)}},
                          {{"4_processes", 4, layout(1, 1, one_f_one_b, 1)}},
                          {{"2_of_2_replicas", 2, layout(2, 1, one_f_one_b, 1)}},
                          {{"2_of_2_replicas_whole_optimizer", 2, layout(2, 1, gpipe, 1), false}},
                          {{"3_pipelines", 3, layout(1, 2, one_f_one_b, 3)}},
                          {{"2_of_2_x_2", 2, layout(2, 2, one_f_one_b, 2)}},
                          {{"2_interleaved", 2, layout(1, 2, interleaved, 2)}}};
    all.push_back({{"ema_and_clipnorm", 2, layout(2, 1, one_f_one_b, 1)}, [](TrainingSetup& setup) {
                       setup.ema_momentum = 0.9F;
                       setup.clip_by_variable = true;
                   }});
    all.push_back({{"float16", 2, layout(1, 2, gpipe, 2)},
                   [](TrainingSetup& setup) { setup.precision = "mixed_float16"; },
                   2e-3});
    return all;
}

class EachWorld : public ::testing::TestWithParam<Case> {};

void expect_as_on_one_device(const Case& c, const Model& model) {
    TrainingSetup setup = setup_of("Adam");
    c.prepare(setup);
    testing::Run run{20, 12, 0.005F};
    if (setup.clip_by_variable) run.clip_limit = 0.05F;
    testing::expect_world_as_one(c, model, setup, run,
                                 {c.tolerance, 10 * c.tolerance, 20 * c.tolerance});
}

TEST_P(EachWorld, TrainsAsOneDevice) {
    expect_as_on_one_device(GetParam(), graph::testing::batchless());
}

TEST_P(EachWorld, TrainsSharedWeightsAsOneDevice) {
    expect_as_on_one_device(GetParam(), graph::testing::tied());
}

INSTANTIATE_TEST_SUITE_P(Worlds, EachWorld, ::testing::ValuesIn(cases()),
                         [](const auto& use) { return use.param.name; });

// Only rank 0 looks: nobody has to come.
TEST(WorldEquality, EvaluationOnOneRankNeedsNoOther) {
    const TrainingSetup setup = setup_of();
    const Layout way = layout(2, 2, ScheduleKind::one_f_one_b, 2);
    const Model model = testing::placed(graph::testing::branches(), way);
    expect_no_errors(2, [&](Communicator& world) {
        CountingCommunicator counting(world);
        PlacedExecutor many(model, &setup, testing::one_thread(12), way.placement, &counting);
        many.initialize(1);
        const testing::Batch data = testing::batch_for(model, 12, 1);
        many.train_step(data.inputs.data(), data.labels.data(), 12,
                        graph::testing::scalars_of(0.01F));
        counting.reset();
        if (world.rank() == 0) {
            many.evaluate(data.inputs.data(), data.labels.data(), 12);
            std::vector<float> outputs(12 * 3);
            many.predict(data.inputs.data(), 12, outputs.data());
            many.snapshot(false);
        }
        EXPECT_EQ(counting.calls(), 0);
    });
}

// A hundred times: a rank ends somewhere in the middle, the others say so and end, too.
TEST(WorldEquality, ARankThatEndsEndsAll) {
    const TrainingSetup setup = setup_of();
    const Layout way = layout(1, 2, ScheduleKind::one_f_one_b, 2);
    const Model model = testing::placed(graph::testing::batchless(), way);
    const testing::Batch data = testing::batch_for(model, 12, 1);
    for (int i = 0; i < 100; ++i) {
        const int lost = i % 3;
        const auto messages = in_world(3, [&](Communicator& world) {
            CountingCommunicator counting(world);
            if (world.rank() == lost) counting.fail_at(1 + i / 3);
            PlacedExecutor many(model, &setup, testing::one_thread(12), way.placement, &counting);
            many.initialize(1);
            for (int step = 1;; ++step)
                many.train_step(data.inputs.data(), data.labels.data(), 12,
                                graph::testing::scalars_of(0.01F, step));
        });
        for (int rank = 0; rank < 3; ++rank)
            EXPECT_THAT(messages[static_cast<std::size_t>(rank)], HasSubstr("unplugged"))
                << i << ", rank " << rank;
    }
}

}  // namespace
}  // namespace strata::parallel
