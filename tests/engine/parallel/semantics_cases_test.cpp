// The cases of SEMANTICS for several devices in one process, and others like them with other
// numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "engine/parallel/placed_model.h"
#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::HostTensor;
using graph::Model;
using graph::TrainingSetup;
using graph::testing::layer;
using graph::testing::model_of;
using graph::testing::setup_of;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::Layout;
using testing::layout;
using ::testing::Pointwise;

using Values = std::vector<float>;

auto near(const Values& values, float tolerance = 1e-6F) {
    return Pointwise(FloatNear(tolerance), values);
}

// One kernel of 0 and targets of -1/2 under a squared error: a sample's gradient is its input, and
// SGD with rate 1 leaves minus the mean, clipped, in the kernel.
class MeanOfInputs {
public:
    MeanOfInputs(std::int64_t width, int replicas, TrainingSetup setup = plain())
        : width_(width),
          executor_(testing::on_one_device(
                        model_of({layer("input", "InputLayer", {{"shape", {width}}}),
                                  layer("output", "Dense", {{"units", 1}, {"use_bias", false}})})),
                    &setup, testing::one_thread(64),
                    layout(replicas, 1, ScheduleKind::one_f_one_b, 1).placement) {
        executor_.initialize(0);
    }

    static TrainingSetup plain() {
        TrainingSetup setup = setup_of("SGD", Json::object(), "mean_squared_error", {});
        setup.accumulates = true;
        return setup;
    }

    // Samples of `width` numbers each; the window's batches one after the other.
    Values step(const std::vector<Values>& batches, ops::StepScalars scalars) {
        executor_.restore(std::vector<HostTensor>{{"output", "kernel", "", Shape{width_, 1},
                                                   Values(static_cast<std::size_t>(width_))}},
                          false);
        std::int64_t before = 0;
        for (const Values& x : batches) {
            const auto n = static_cast<std::int64_t>(x.size()) / width_;
            const Values t(static_cast<std::size_t>(n), -0.5F);
            scalars.first_in_window = before == 0;
            scalars.samples_before = before;
            executor_.accumulate(x.data(), t.data(), n, scalars);
            before += n;
        }
        last = executor_.update(before, scalars);
        Values moved = executor_.snapshot(false).at(0).values;
        for (float& value : moved) value = -value;
        return moved;
    }
    Values step(const std::vector<Values>& batches, float clip_limit = 0.0F) {
        ops::StepScalars scalars = graph::testing::scalars_of(1.0F);
        scalars.clip_limit = clip_limit;
        return step(batches, scalars);
    }

    graph::UpdateResult last;

private:
    std::int64_t width_;
    PlacedExecutor executor_;
};

TrainingSetup clipped(ops::ClipKind kind, bool by_variable = false) {
    TrainingSetup setup = MeanOfInputs::plain();
    setup.clip = kind;
    setup.clip_by_variable = by_variable;
    return setup;
}

TEST(SemanticsCases, AveragesOverSamples) {
    for (const int replicas : {1, 2, 3, 4}) {
        MeanOfInputs mean(1, replicas);
        EXPECT_THAT(mean.step({{1, 2, 3, 10}}), near({4})) << replicas;
        EXPECT_THAT(mean.step({{1, 2, 6}}), near({3})) << "a batch of 4 that holds 3";
        EXPECT_THAT(mean.step({{1, 2, 3, 4, 5, 6, 70}}), near({13}, 1e-5F)) << replicas;
        EXPECT_THAT(mean.step({{8, 8, -2, 1, 0}}), near({3})) << replicas;
    }
}

TEST(SemanticsCases, AReplicaWithoutSamplesStaysFinite) {
    for (const int replicas : {2, 4}) {
        MeanOfInputs mean(1, replicas);
        EXPECT_THAT(mean.step({{5}}), near({5}));
        EXPECT_TRUE(mean.last.applied);
        EXPECT_THAT(mean.step({{1, 1}}), near({1}));
        EXPECT_THAT(mean.step({{7}, {1}, {4}}), near({4}));
        EXPECT_THAT(mean.step({{2, 4, 6, 8}}), near({5})) << "all of them again";
    }
}

// The divisor is the window's number of samples.
TEST(SemanticsCases, AccumulatesOverSamples) {
    for (const int replicas : {1, 2, 4}) {
        MeanOfInputs mean(1, replicas);
        EXPECT_THAT(mean.step({{1, 1, 1, 1}, {1, 1, 1, 1}, {4, 4}}), near({1.6F}));
        EXPECT_THAT(mean.step({{3, 3, 3}, {-5}}), near({1}));
        EXPECT_THAT(mean.step({{10}, {0, 0, 0, 0, 0, 0, 0}, {2, 2}}), near({1.4F}));
    }
}

TEST(SemanticsCases, ClipsAfterTheSum) {
    for (const int replicas : {1, 2, 4}) {
        MeanOfInputs global(2, replicas, clipped(ops::ClipKind::global_norm));
        EXPECT_THAT(global.step({{3, 0, 0, 4}}, 1.0F), near({0.6F, 0.8F}));
        EXPECT_NEAR(global.last.gradient_norm, 2.5, 1e-6);
        EXPECT_THAT(global.step({{12, 0, 0, 5, 0, 0, 0, 0}}, 0.65F), near({0.6F, 0.25F}));
        EXPECT_NEAR(global.last.gradient_norm, 3.25, 1e-6);
        EXPECT_THAT(global.step({{3, 0, 0, 4}}, 2.5F), ElementsAre(1.5F, 2.0F)) << "not clipped";
        EXPECT_THAT(global.step({{2, 0}, {0, 2}}, 1.0F), near({0.7071F, 0.7071F}, 1e-4F));
        EXPECT_THAT(global.step({{0, 0, 0, 0}}, 1.0F), Each(0.0F));

        MeanOfInputs variable(2, replicas, clipped(ops::ClipKind::none, true));
        EXPECT_THAT(variable.step({{3, 0, 0, 4}}, 1.0F), near({0.6F, 0.8F}));
        EXPECT_THAT(variable.step({{0, -9, 1, -15}}, 0.5F), near({0.0208F, -0.4996F}, 1e-4F));

        // By sample first it would be [0.5, 0.5].
        MeanOfInputs value(2, replicas, clipped(ops::ClipKind::value));
        EXPECT_THAT(value.step({{3, 0, 0, 4}}, 1.0F), ElementsAre(1.0F, 1.0F));
        EXPECT_THAT(value.step({{9, 0.5F, -9, -4.5F}}, 1.5F), ElementsAre(0.0F, -1.5F));
    }
}

TEST(SemanticsCases, ClipsAfterUnscaling) {
    for (const int replicas : {1, 2}) {
        TrainingSetup setup = clipped(ops::ClipKind::global_norm);
        setup.precision = "mixed_float16";
        MeanOfInputs mean(2, replicas, setup);
        ops::StepScalars scalars = graph::testing::scalars_of(1.0F);
        scalars.clip_limit = 1.0F;
        for (const float scale : {1024.0F, 8.0F}) {
            scalars.loss_scale = scale;
            EXPECT_THAT(mean.step({{6, 0, 0, 8}}, scalars), near({0.6F, 0.8F}, 1e-3F));
        }
    }
}

TEST(SemanticsCases, NormsDoNotOverflow) {
    for (const int replicas : {1, 2, 4}) {
        MeanOfInputs mean(128, replicas, clipped(ops::ClipKind::global_norm));
        const Values clipped = mean.step({Values(4 * 128, 1e19F)}, 1.0F);
        EXPECT_NEAR(mean.last.gradient_norm, 1.1314e20, 1e16);
        EXPECT_THAT(clipped, Each(FloatNear(0.088388F, 1e-5F)));
    }
}

TEST(SemanticsCases, ASkippedStepDoesNotAdvanceAdam) {
    TrainingSetup setup = setup_of("Adam", Json::object(), "mean_squared_error", {});
    setup.accumulates = true;
    for (const int replicas : {2, 4}) {
        MeanOfInputs mean(1, replicas, setup);
        const ops::StepScalars scalars = graph::testing::scalars_of(0.1F);
        const float infinity = std::numeric_limits<float>::infinity();
        EXPECT_THAT(mean.step({{0, 0, 0, infinity}}, scalars), ElementsAre(0.0F));
        EXPECT_FALSE(mean.last.applied);
        EXPECT_THAT(mean.step({{1, 1, 1, 1}}, scalars), Each(FloatNear(0.1F, 1e-6F)));
        EXPECT_TRUE(mean.last.applied);
    }
}

// Decoupled decay is the only regularisation there is.
TEST(SemanticsCases, RegularisesOnceAndNotOnceAReplica) {
    const Model model = testing::on_one_device(
        model_of({layer("input", "InputLayer", {{"shape", {2}}}),
                  layer("output", "Dense", {{"units", 1}, {"use_bias", false}})}));
    const TrainingSetup setup = MeanOfInputs::plain();
    for (const int replicas : {1, 2, 4}) {
        PlacedExecutor executor(model, &setup, testing::one_thread(8),
                                layout(replicas, 1, ScheduleKind::one_f_one_b, 1).placement);
        executor.initialize(0);
        executor.restore(
            std::vector<HostTensor>{{"output", "kernel", "", Shape{2, 1}, {1.0F, -3.0F}}});
        ops::StepScalars scalars = graph::testing::scalars_of(0.1F);
        scalars.weight_decay = 0.5F;
        const Values x(16, 0.0F), t(8, 0.0F);
        executor.train_step(x.data(), t.data(), 8, scalars);
        EXPECT_THAT(executor.snapshot(false).at(0).values, near({0.95F, -2.85F})) << replicas;
    }
}

// Gradients [3,4] on the first stage and [12] on the second: y = b (a x) with x = [3,4], a = [0,3],
// b = 1 and a slope of 1.
class TwoVariables {
public:
    explicit TwoVariables(const TrainingSetup& setup, int replicas)
        : executor_(
              testing::placed(model_of({layer("input", "InputLayer", {{"shape", {2}}}),
                                        layer("a", "Dense", {{"units", 1}, {"use_bias", false}}),
                                        layer("bend", "Activation", {{"activation", "linear"}}),
                                        layer("b", "Dense", {{"units", 1}, {"use_bias", false}})}),
                              layout(replicas, 2, ScheduleKind::gpipe, 2)),
              &setup, testing::one_thread(8),
              layout(replicas, 2, ScheduleKind::gpipe, 2).placement) {
        EXPECT_NE(executor_.model().layer("a").device, executor_.model().layer("b").device);
        executor_.initialize(0);
    }

    Values step(float limit) {
        executor_.restore(std::vector<HostTensor>{{"a", "kernel", "", Shape{2, 1}, {0, 3}},
                                                  {"b", "kernel", "", Shape{1, 1}, {1}}});
        const Values x{3, 4, 3, 4, 3, 4, 3, 4}, t(4, 11.5F);
        ops::StepScalars scalars = graph::testing::scalars_of(1.0F);
        scalars.clip_limit = limit;
        norm = executor_.train_step(x.data(), t.data(), 4, scalars).gradient_norm;
        const auto after = executor_.snapshot(false);
        return {0 - after[0].values[0], 3 - after[0].values[1], 1 - after[1].values[0]};
    }

    double norm = 0.0;

private:
    PlacedExecutor executor_;
};

TEST(SemanticsCases, TheNormIsOverAllStages) {
    for (const int replicas : {1, 2}) {
        TwoVariables global(clipped(ops::ClipKind::global_norm), replicas);
        EXPECT_THAT(global.step(6.5F), near({1.5F, 2.0F, 6.0F}, 1e-5F));
        EXPECT_NEAR(global.norm, 13.0, 1e-5);
        EXPECT_THAT(global.step(1.0F), near({0.2308F, 0.3077F, 0.9231F}, 1e-4F));
        EXPECT_THAT(global.step(26.0F), near({3, 4, 12}, 1e-5F));
        TwoVariables variable(clipped(ops::ClipKind::none, true), replicas);
        EXPECT_THAT(variable.step(6.5F), near({3, 4, 6.5F}, 1e-5F));
        EXPECT_THAT(variable.step(1.0F), near({0.6F, 0.8F, 1.0F}, 1e-5F));
        TwoVariables value(clipped(ops::ClipKind::value), replicas);
        EXPECT_THAT(value.step(3.5F), near({3, 3.5F, 3.5F}, 1e-5F));
    }
}

// 9 of 10 and 1 of 2 are 10 of 12, wherever the samples lie.
TEST(SemanticsCases, MetricsAreSumsOverSamples) {
    const TrainingSetup setup = setup_of();
    const Model model = testing::on_one_device(
        model_of({layer("input", "InputLayer", {{"shape", {2}}}),
                  layer("output", "Dense", {{"units", 2}, {"activation", "softmax"}})}));
    const auto samples = [](const std::vector<bool>& right) {
        Values x;
        for (const bool is_right : right) {
            x.push_back(is_right ? 1.0F : 0.0F);
            x.push_back(is_right ? 0.0F : 1.0F);
        }
        return x;
    };
    std::vector<bool> ten(10, true), twelve(12, true);
    ten[3] = false;
    twelve[3] = twelve[11] = false;
    const std::vector<std::int32_t> labels(12, 0);
    for (const int replicas : {1, 2, 3, 4}) {
        PlacedExecutor executor(model, &setup, testing::one_thread(12),
                                layout(replicas, 1, ScheduleKind::one_f_one_b, 2).placement);
        executor.initialize(0);
        executor.restore(
            std::vector<HostTensor>{{"output", "kernel", "", Shape{2, 2}, {1, 0, 0, 1}}}, false);
        const auto a = executor.evaluate(samples(ten).data(), labels.data(), 10);
        const auto b = executor.evaluate(samples({true, false}).data(), labels.data(), 2);
        EXPECT_THAT(a.metric_sums, ElementsAre(9.0));
        EXPECT_THAT(b.metric_sums, ElementsAre(1.0));
        EXPECT_DOUBLE_EQ((a.metric_sums[0] + b.metric_sums[0]) / 12.0, 10.0 / 12.0);
        EXPECT_THAT(executor.evaluate(samples(twelve).data(), labels.data(), 12).metric_sums,
                    ElementsAre(10.0));
        EXPECT_THAT(executor
                        .train_step(samples({false, true, true}).data(), labels.data(), 3,
                                    graph::testing::scalars_of(0.0F))
                        .metric_sums,
                    ElementsAre(2.0));
    }
}

// What the executor plans by: how many micro-batches' activations each stage keeps.
TEST(SemanticsCases, HoldsTheActivationsOfItsSchedule) {
    Model model = graph::testing::cnn();
    const TrainingSetup setup = setup_of();
    using enum ScheduleKind;
    struct Case {
        Layout layout;
        std::vector<int> in_flight;
    };
    for (const Case& c :
         {Case{layout(1, 4, gpipe, 8), {8, 8, 8, 8}},
          Case{layout(1, 4, one_f_one_b, 8), {4, 3, 2, 1}}, Case{layout(1, 3, gpipe, 5), {5, 5, 5}},
          Case{layout(1, 3, one_f_one_b, 5), {3, 2, 1}},
          Case{layout(1, 4, one_f_one_b, 2), {2, 2, 2, 1}},
          Case{layout(1, 3, naive, 6), {1, 1, 1}}}) {
        const PlacedModel placed(testing::placed(model, c.layout), &setup, testing::one_thread(16),
                                 c.layout.placement);
        for (std::size_t stage = 0; stage < c.in_flight.size(); ++stage)
            EXPECT_EQ(placed.in_flight(static_cast<int>(stage)), c.in_flight[stage])
                << c.layout.name << " stage " << stage;
    }
    const auto activations = [&](ScheduleKind kind) {
        const Layout way = layout(1, 4, kind, 8);
        PlacedExecutor executor(testing::placed(model, way), &setup, testing::one_thread(16),
                                way.placement);
        std::vector<std::size_t> bytes;
        for (const auto& device : executor.memory_by_device())
            bytes.push_back(device.memory[device::Category::activations]);
        return bytes;
    };
    const auto all = activations(gpipe), few = activations(one_f_one_b);
    for (std::size_t d = 1; d < all.size(); ++d) EXPECT_LT(few[d], all[d]) << d;
}

// Forward 1 and backward 2 units; 33 units for p = 4 and m = 8 are in pipeline_schedule_test.
TEST(SemanticsCases, UnitsOfOtherPipelines) {
    struct Case {
        int p, m;
        double units, idle;
    };
    for (const Case& c : {Case{3, 5, 21, 2.0 / 7}, Case{2, 2, 9, 1.0 / 3},
                          Case{8, 32, 117, 7.0 / 39}, Case{6, 2, 21, 5.0 / 7}}) {
        const StageGraph stages = StageGraph::chain(c.p);
        const StageTimes times{std::vector<double>(static_cast<std::size_t>(c.p), 1.0),
                               std::vector<double>(static_cast<std::size_t>(c.p), 2.0), 0.0};
        for (const auto kind : {ScheduleKind::gpipe, ScheduleKind::one_f_one_b}) {
            const Timeline timeline = simulate(make_schedule(kind, stages, c.m), stages, times);
            EXPECT_DOUBLE_EQ(timeline.length, c.units) << c.p << " " << c.m;
            EXPECT_NEAR(timeline.idle_share(), c.idle, 1e-12);
            EXPECT_NEAR(idle_share_formula(kind, c.p, c.m), c.idle, 1e-12);
        }
    }
}

}  // namespace
}  // namespace strata::parallel
