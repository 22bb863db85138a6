// The training techniques on several devices: as on one, to the last bit where nothing is summed in
// another order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/parallel/placed_executor.h"
#include "engine/parallel/placed_model.h"
#include "engine/parallel/workers.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/layers/error_of.h"

namespace strata::parallel {
namespace {

using graph::Executor;
using graph::HostTensor;
using graph::Model;
using graph::TrainingSetup;
using graph::testing::branches;
using graph::testing::cnn;
using graph::testing::layer;
using graph::testing::model_of;
using graph::testing::options_of;
using graph::testing::scalars_of;
using graph::testing::setup_of;
using strata::testing::error_of;
using strata::testing::random_values;
using ::testing::HasSubstr;

Model on(Model model, const std::vector<std::string>& devices) {
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        model.layers[i].device = devices[i * devices.size() / model.layers.size()];
    return model;
}

PlacementOptions placement(int replicas, int micro_batches = 1) {
    PlacementOptions options;
    options.replicas = replicas;
    options.micro_batches = micro_batches;
    return options;
}

std::vector<std::int32_t> labels(std::int64_t n, std::int32_t classes = 10) {
    return graph::testing::labels_of(n, classes);
}

// One layer of weights 1 without bias, so that the gradient is what the inputs make it.
Model linear() {
    return model_of({layer("input", "InputLayer", {{"shape", {2}}}),
                     layer("first", "Dense", {{"units", 2}, {"use_bias", false}}),
                     layer("second", "Dense", {{"units", 1}, {"use_bias", false}})});
}

TEST(PlacedTechniques, AWholeBatchThroughStagesGivesTheSameBits) {
    for (const char* precision : {"float32", "mixed_bfloat16", "mixed_float16"}) {
        TrainingSetup setup = setup_of("Adam");
        setup.precision = precision;
        graph::ExecutorOptions options = options_of(8);
        options.device_options.threads = 1;
        Executor one(cnn(), &setup, options);
        PlacedExecutor many(on(cnn(), {"cpu:0", "cpu:1", "cpu:2"}), &setup, options, placement(1));
        one.initialize(2);
        many.initialize(2);
        for (int step = 1; step <= 5; ++step) {
            const auto x = random_values(8 * 784, static_cast<std::uint64_t>(step));
            const auto a = one.train_step(x.data(), labels(8).data(), 8, scalars_of(0.01F, step));
            const auto b = many.train_step(x.data(), labels(8).data(), 8, scalars_of(0.01F, step));
            EXPECT_EQ(a.loss_sum, b.loss_sum) << precision;
            EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-6 * a.gradient_norm);
        }
        const auto a = one.snapshot(true), b = many.snapshot(true);
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values) << precision;
    }
}

TEST(PlacedTechniques, TheNormIsThatOfAllDevices) {
    TrainingSetup setup = setup_of("SGD");
    setup.clip = ops::ClipKind::global_norm;
    Executor one(cnn(), &setup, options_of(8));
    PlacedExecutor many(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options_of(8), placement(2, 2));
    ops::StepScalars scalars = scalars_of(0.1F);
    scalars.clip_limit = 0.05F;
    const auto x = random_values(8 * 784, 3);
    one.initialize(1);
    many.initialize(1);
    const auto a = one.train_step(x.data(), labels(8).data(), 8, scalars);
    const auto b = many.train_step(x.data(), labels(8).data(), 8, scalars);
    EXPECT_GT(a.gradient_norm, 0.05) << "it has to be clipped";
    EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-5 * a.gradient_norm);
    const auto p = one.snapshot(false), q = many.snapshot(false);
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t e = 0; e < p[i].values.size(); ++e)
            ASSERT_NEAR(p[i].values[e], q[i].values[e], 1e-6);
}

// SEMANTICS: per-sample gradients [1,2,3] on one replica and [10] on another give 4.0, not the mean
// of means 6.0. Here 2 samples and 1, then a batch that leaves the second replica without any.
TEST(PlacedTechniques, AveragesOverSamplesNotReplicas) {
    TrainingSetup setup = setup_of("SGD", Json::object(), "mean_squared_error", {});
    const Model model = linear();
    Executor one(model, &setup, options_of(3));
    PlacedExecutor many(model, &setup, options_of(3), placement(2));
    const std::vector<HostTensor> ones{{"first", "kernel", "", Shape{2, 2}, {1, 1, 1, 1}},
                                       {"second", "kernel", "", Shape{2, 1}, {1, 1}}};
    one.initialize(0);
    many.initialize(0);
    one.restore(ones);
    many.restore(ones);
    const std::vector<float> x{1, 0, 2, 0, 10, 0};
    const std::vector<float> y{0, 0, 0};
    for (std::int64_t n : {3, 1, 2, 3}) {
        one.train_step(x.data(), y.data(), n, scalars_of(0.001F));
        many.train_step(x.data(), y.data(), n, scalars_of(0.001F));
        const auto a = one.snapshot(false), b = many.snapshot(false);
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t e = 0; e < a[i].values.size(); ++e)
                EXPECT_NEAR(a[i].values[e], b[i].values[e], 1e-6) << n;
    }
}

// A window of three batches, the middle one too short for the second replica.
TEST(PlacedTechniques, AccumulatesOverUnevenBatches) {
    TrainingSetup setup = setup_of("Adam");
    setup.accumulates = true;
    Executor one(cnn(), &setup, options_of(8));
    PlacedExecutor many(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options_of(8), placement(2, 3));
    one.initialize(4);
    many.initialize(4);
    for (int window = 0; window < 3; ++window) {
        std::int64_t total = 0;
        for (std::int64_t n : {8, 1, 5}) {
            ops::StepScalars scalars = scalars_of(0.01F, window + 1);
            scalars.first_in_window = total == 0;
            scalars.first_sample = total;
            const auto x = random_values(n * 784, static_cast<std::uint64_t>(10 * window + n));
            one.accumulate(x.data(), labels(n).data(), n, scalars);
            many.accumulate(x.data(), labels(n).data(), n, scalars);
            total += n;
        }
        const auto a = one.update(total, scalars_of(0.01F, window + 1));
        const auto b = many.update(total, scalars_of(0.01F, window + 1));
        EXPECT_NEAR(a.loss_sum, b.loss_sum, 1e-5 * a.loss_sum);
        EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-4 * a.gradient_norm);
    }
}

// The short first batch leaves the second replica nothing; what it summed before must be gone.
TEST(PlacedTechniques, AnEmptyReplicaBeginsItsWindowWithZeros) {
    TrainingSetup setup = setup_of("SGD");
    setup.accumulates = true;
    Executor one(cnn(), &setup, options_of(6));
    PlacedExecutor many(cnn(), &setup, options_of(6), placement(2));
    one.initialize(4);
    many.initialize(4);
    const auto x = random_values(6 * 784, 1);
    std::vector<double> norms[2];
    for (int which : {0, 1}) {
        graph::ModelExecutor& executor =
            which == 0 ? static_cast<graph::ModelExecutor&>(one) : many;
        for (std::int64_t n : {6, 1}) {
            executor.accumulate(x.data(), labels(n).data(), n, scalars_of(0.0F));
            norms[which].push_back(executor.update(n, scalars_of(0.0F)).gradient_norm);
        }
    }
    EXPECT_NEAR(norms[0][0], norms[1][0], 1e-5 * norms[0][0]);
    EXPECT_NEAR(norms[0][1], norms[1][1], 1e-5 * norms[0][1]);
}

TEST(PlacedTechniques, AnOverflowOnOneStageSkipsTheStepOnAll) {
    TrainingSetup setup = setup_of("Adam");
    PlacedExecutor many(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options_of(4), placement(2, 2));
    many.initialize(4);
    const auto before = many.snapshot(true);
    auto x = random_values(4 * 784, 1);
    x[3 * 784 + 5] = std::numeric_limits<float>::infinity();
    const auto result = many.train_step(x.data(), labels(4).data(), 4, scalars_of(0.1F));
    EXPECT_FALSE(result.applied);
    const auto after = many.snapshot(true);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(before[i].values, after[i].values) << before[i].layer;
    x[3 * 784 + 5] = 1.0F;
    EXPECT_TRUE(many.train_step(x.data(), labels(4).data(), 4, scalars_of(0.1F)).applied);
}

TEST(PlacedTechniques, NamesTheFirstLayerThatIsNotFinite) {
    TrainingSetup setup = setup_of("SGD");
    PlacedExecutor many(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options_of(4), placement(2, 2));
    many.initialize(4);
    auto weights = many.snapshot(false);
    const auto x = random_values(4 * 784, 1);
    EXPECT_FALSE(many.find_not_finite(x.data(), labels(4).data(), 4, scalars_of(0.1F)));
    for (HostTensor& tensor : weights)
        if (tensor.layer == "output" && tensor.role == "bias")
            tensor.values[3] = std::numeric_limits<float>::quiet_NaN();
    many.restore(weights);
    const auto found = many.find_not_finite(x.data(), labels(4).data(), 4, scalars_of(0.1F));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->layer, "output");
    EXPECT_FALSE(found->backward);
}

TEST(PlacedTechniques, ReplicasAgreeOnTheMovingAverages) {
    for (bool deferred : {false, true}) {
        TrainingSetup setup = setup_of("SGD");
        setup.accumulates = true;
        setup.deferred_statistics = deferred;
        const Model model = branches();
        PlacedExecutor many(model, &setup, options_of(12), placement(2));
        Executor left(model, &setup, options_of(12)), right(model, &setup, options_of(12));
        for (graph::ModelExecutor* executor :
             std::initializer_list<graph::ModelExecutor*>{&many, &left, &right})
            executor->initialize(3);
        const auto x = random_values(12 * 72, 5);
        const auto y = labels(12, 3);
        many.train_step(x.data(), y.data(), 12, scalars_of(0.0F));
        left.train_step(x.data(), y.data(), 6, scalars_of(0.0F));
        right.train_step(x.data() + 6 * 72, y.data() + 6, 6, scalars_of(0.0F));
        const auto all = many.snapshot(false), a = left.snapshot(false), b = right.snapshot(false);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].role.rfind("moving", 0) != 0) continue;
            for (std::size_t e = 0; e < all[i].values.size(); ++e)
                EXPECT_NEAR(all[i].values[e], 0.5F * (a[i].values[e] + b[i].values[e]), 1e-6);
        }
    }
}

TEST(PlacedTechniques, StateGoesFromOnePlacementToAnother) {
    TrainingSetup setup = setup_of("Adam");
    setup.ema_momentum = 0.9F;
    PlacedExecutor two(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options_of(8), placement(1, 2));
    PlacedExecutor four(on(cnn(), {"cpu:0", "cpu:1", "cpu:2"}), &setup, options_of(8),
                        placement(2));
    Executor one(cnn(), &setup, options_of(8));
    two.initialize(1);
    const auto x = random_values(8 * 784, 3);
    two.train_step(x.data(), labels(8).data(), 8, scalars_of(0.01F));
    const auto state = two.snapshot(true);
    one.restore(state);
    four.restore(state);
    std::vector<float> a(80), b(80), c(80);
    two.predict(x.data(), 8, a.data());
    one.predict(x.data(), 8, b.data());
    four.predict(x.data(), 8, c.data());
    EXPECT_EQ(a, b);
    EXPECT_EQ(a, c);
    const auto back = four.snapshot(true);
    ASSERT_EQ(back.size(), state.size());
    for (std::size_t i = 0; i < state.size(); ++i) EXPECT_EQ(back[i].values, state[i].values);
    four.swap_average();
    one.swap_average();
    EXPECT_EQ(four.snapshot(false)[0].values, one.snapshot(false)[0].values);
}

TEST(PlacedTechniques, TheDoctorSeesAllLayers) {
    TrainingSetup setup = setup_of("SGD");
    Executor one(cnn(), &setup, options_of(8));
    PlacedExecutor many(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options_of(8), placement(2, 2));
    one.initialize(1);
    many.initialize(1);
    const auto x = random_values(8 * 784, 3);
    const auto a = one.probe(x.data(), 8), b = many.probe(x.data(), 8);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].layer, b[i].layer);
        EXPECT_EQ(a[i].units, b[i].units);
        EXPECT_EQ(a[i].dead, b[i].dead);
    }
    one.train_step(x.data(), labels(8).data(), 8, scalars_of(0.0F));
    many.train_step(x.data(), labels(8).data(), 8, scalars_of(0.0F));
    const auto p = one.gradient_norms(0.5), q = many.gradient_norms(0.5);
    ASSERT_EQ(p.size(), q.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
        EXPECT_EQ(p[i].layer, q[i].layer);
        EXPECT_NEAR(p[i].norm, q[i].norm, 1e-4 * p[i].norm);
    }
}

TEST(PlacedTechniques, RecomputesWithinItsStage) {
    TrainingSetup setup = setup_of("SGD");
    Model model = on(branches(), {"cpu:0", "cpu:1", "cpu:0"});
    PlacedExecutor plain(model, &setup, options_of(6), placement(1));
    for (graph::LayerNode& node : model.layers) node.recompute = true;
    PlacedExecutor again(model, &setup, options_of(6), placement(1));
    plain.initialize(1);
    again.initialize(1);
    const auto x = random_values(6 * 72, 3);
    for (int step = 1; step < 4; ++step) {
        const auto a = plain.train_step(x.data(), labels(6, 3).data(), 6, scalars_of(0.1F, step));
        const auto b = again.train_step(x.data(), labels(6, 3).data(), 6, scalars_of(0.1F, step));
        EXPECT_EQ(a.loss_sum, b.loss_sum);
    }
    const auto a = plain.snapshot(false), b = again.snapshot(false);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values);
}

TEST(PlacedTechniques, SaysWhatIsWrongWithAPlacement) {
    TrainingSetup setup = setup_of("SGD");
    const auto message = [&](Model model, PlacementOptions options) {
        return std::string(error_of([&] {
                               PlacedExecutor(std::move(model), &setup, options_of(8), options);
                           }).what());
    };
    PlacementOptions options = placement(2);
    options.devices = {"cpu:0"};
    EXPECT_THAT(message(cnn(), options),
                HasSubstr("names 1 device for 2 replicas of 1 device each"));
    options.devices = {"cpu:3", "cpu:3"};
    EXPECT_THAT(message(cnn(), options), HasSubstr("'cpu:3' is named twice"));
    options.devices = {"cpu:0", "cuda:0"};
    EXPECT_THAT(message(cnn(), options), HasSubstr("replicas of the same layers are on"));
    options = placement(1, 3);
    options.schedule = ScheduleKind::interleaved;
    EXPECT_THAT(message(on(cnn(), {"cpu:0", "cpu:1"}), options), HasSubstr("not a multiple"));
}

// Two runs side by side must not sit on the same cores.
TEST(PlacedTechniques, PinsItsThreadsOnlyWhereItTakesAllCores) {
    const std::vector<int> usable = usable_cores();
    ASSERT_FALSE(usable.empty());
    const auto cores_of = [&](int replicas, int threads) {
        PlacementOptions options = placement(replicas);
        options.threads = threads;
        return PlacedModel(linear(), nullptr, options_of(8), options).cores();
    };
    for (const auto& cores : cores_of(2, static_cast<int>(usable.size())))
        EXPECT_TRUE(cores.empty()) << "more threads than cores";
    if (usable.size() < 2 || usable.size() > 64) return;
    std::vector<int> taken;
    for (const auto& cores : cores_of(static_cast<int>(usable.size()), 1))
        taken.insert(taken.end(), cores.begin(), cores.end());
    EXPECT_EQ(taken, usable);
}

TEST(PlacedTechniques, ADeviceWithoutRoomIsNamed) {
    TrainingSetup setup = setup_of("SGD");
    graph::ExecutorOptions options = options_of(8);
    options.device_options.memory_limit = 100'000;
    const Error error = error_of([&] {
        PlacedExecutor(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options, placement(1));
    });
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_THAT(std::string(error.what()), HasSubstr("cpu:"));
}

TEST(PlacedTechniques, ShowsWhenEachStageWorked) {
    TrainingSetup setup = setup_of("SGD");
    PlacedExecutor many(on(cnn(), {"cpu:0", "cpu:1"}), &setup, options_of(8), placement(2, 2));
    many.initialize(1);
    const auto x = random_values(8 * 784, 3);
    many.train_step(x.data(), labels(8).data(), 8, scalars_of(0.1F));
    EXPECT_EQ(many.timeline().size(), 2U * 2U * 2U * 2U);  // replicas, stages, micro-batches, both
    for (const MeasuredBlock& block : many.timeline()) EXPECT_LE(block.begin, block.end);
}

}  // namespace
}  // namespace strata::parallel
