// Accumulation, clipping, averages, precision and recomputation as the executor carries them out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/graph/executor.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/layers/error_of.h"

namespace strata::graph {
namespace {

using strata::testing::error_of;
using strata::testing::random_values;
using testing::batchless;
using testing::branches;
using testing::labels_of;
using testing::layer;
using testing::model_of;
using testing::options_of;
using testing::scalars_of;
using testing::setup_of;

constexpr std::int64_t pixels = 72;  // of a sample of branches()

double distance(const std::vector<HostTensor>& a, const std::vector<HostTensor>& b) {
    double most = 0.0;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t e = 0; e < a[i].values.size(); ++e)
            most = std::max(most, std::abs(static_cast<double>(a[i].values[e]) -
                                           static_cast<double>(b[i].values[e])));
    return most;
}

bool same(const std::vector<HostTensor>& a, const std::vector<HostTensor>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].values != b[i].values) return false;
    return true;
}

TEST(Accumulation, UnequalMicroBatchesAreOneBatch) {
    TrainingSetup setup = setup_of("Adam");
    Executor whole(batchless(), &setup, options_of(10));
    setup.accumulates = true;
    ExecutorOptions options = options_of(4);
    options.other_batches = {2};
    Executor parts(batchless(), &setup, options);
    whole.initialize(3);
    parts.initialize(3);
    for (std::int64_t t = 1; t <= 3; ++t) {
        const auto x = random_values(10 * pixels, static_cast<std::uint32_t>(t));
        const auto labels = labels_of(10, 3);
        const BatchResult one = whole.train_step(x.data(), labels.data(), 10, scalars_of(0.01F, t));
        ops::StepScalars scalars = scalars_of(0.01F, t);
        std::int64_t done = 0;
        for (const std::int64_t n : {4, 4, 2}) {
            scalars.first_in_window = done == 0;
            scalars.first_sample = done;
            parts.accumulate(x.data() + done * pixels, labels.data() + done, n, scalars);
            done += n;
        }
        const UpdateResult updated = parts.update(10, scalars);
        EXPECT_TRUE(updated.applied);
        EXPECT_NEAR(updated.gradient_norm, one.gradient_norm, 1e-5 * one.gradient_norm);
        EXPECT_NEAR(updated.loss_sum, one.loss_sum, 1e-4);
        EXPECT_EQ(updated.metric_sums, one.metric_sums);
    }
    EXPECT_LT(distance(whole.snapshot(true), parts.snapshot(true)), 2e-5);
}

TEST(Accumulation, IsRefusedWhereItWasNotPlanned) {
    const TrainingSetup setup = setup_of();
    Executor executor(batchless(), &setup, options_of(2));
    executor.initialize(1);
    const auto x = random_values(2 * pixels, 1);
    const auto labels = labels_of(2, 3);
    ops::StepScalars scalars = scalars_of(0.1F);
    scalars.first_in_window = false;
    EXPECT_EQ(error_of([&] { executor.accumulate(x.data(), labels.data(), 2, scalars); }).code(),
              ErrorCode::internal);
}

// SGD's change is the clipped gradient itself.
std::vector<HostTensor> change_of_sgd(TrainingSetup setup, float limit) {
    Executor executor(batchless(), &setup, options_of(6));
    executor.initialize(2);
    const std::vector<HostTensor> before = executor.snapshot(false);
    const auto x = random_values(6 * pixels, 8);
    const auto labels = labels_of(6, 3);
    ops::StepScalars scalars = scalars_of(1.0F);
    scalars.clip_limit = limit;
    executor.train_step(x.data(), labels.data(), 6, scalars);
    std::vector<HostTensor> change = executor.snapshot(false);
    for (std::size_t i = 0; i < change.size(); ++i)
        for (std::size_t e = 0; e < change[i].values.size(); ++e)
            change[i].values[e] = before[i].values[e] - change[i].values[e];
    return change;
}

double norm_of(const HostTensor& tensor) {
    double squares = 0.0;
    for (float v : tensor.values) squares += static_cast<double>(v) * static_cast<double>(v);
    return std::sqrt(squares);
}

TEST(ClippedUpdate, FollowsTheThreeRules) {
    TrainingSetup setup = setup_of();
    const std::vector<HostTensor> free = change_of_sgd(setup, 0.0F);
    double whole = 0.0, largest = 0.0;
    for (const HostTensor& tensor : free) {
        whole = std::hypot(whole, norm_of(tensor));
        for (float v : tensor.values) largest = std::max(largest, std::abs(static_cast<double>(v)));
    }
    const double limit = 0.3 * largest, global = 0.25 * whole;
    setup.clip = ops::ClipKind::value;
    const auto by_value = change_of_sgd(setup, static_cast<float>(limit));
    setup.clip = ops::ClipKind::global_norm;
    const auto by_global = change_of_sgd(setup, static_cast<float>(global));
    setup.clip = ops::ClipKind::none;
    setup.clip_by_variable = true;
    const auto by_variable = change_of_sgd(setup, static_cast<float>(limit));
    for (std::size_t i = 0; i < free.size(); ++i) {
        const double norm = norm_of(free[i]);
        for (std::size_t e = 0; e < free[i].values.size(); ++e) {
            const double g = static_cast<double>(free[i].values[e]);
            EXPECT_NEAR(by_value[i].values[e], std::clamp(g, -limit, limit), 2e-6);
            EXPECT_NEAR(by_global[i].values[e], g * 0.25, 2e-6);
            EXPECT_NEAR(by_variable[i].values[e], norm > limit ? g * limit / norm : g, 2e-6);
        }
    }
}

TEST(Average, FollowsTheWeightsAndIsSwappedForAValidation) {
    TrainingSetup setup = setup_of("SGD");
    setup.ema_momentum = 0.75F;
    Executor executor(batchless(), &setup, options_of(6));
    executor.initialize(4);
    const auto x = random_values(6 * pixels, 5);
    const auto labels = labels_of(6, 3);
    std::vector<HostTensor> expected;
    for (std::int64_t t = 1; t <= 4; ++t) {
        executor.train_step(x.data(), labels.data(), 6, scalars_of(0.5F, t));
        const std::vector<HostTensor> weights = executor.snapshot(false);
        if (t == 1) expected = weights;
        for (std::size_t i = 0; i < weights.size() && t > 1; ++i)
            for (std::size_t e = 0; e < weights[i].values.size(); ++e)
                expected[i].values[e] =
                    0.75F * expected[i].values[e] + 0.25F * weights[i].values[e];
    }
    const std::vector<HostTensor> trained = executor.snapshot(true);
    executor.swap_average();
    EXPECT_LT(distance(executor.snapshot(false), expected), 1e-6);
    EXPECT_GT(
        distance(executor.snapshot(false),
                 {trained.begin(), trained.begin() + static_cast<std::ptrdiff_t>(expected.size())}),
        1e-3);
    executor.swap_average();
    EXPECT_TRUE(same(executor.snapshot(true), trained));
}

class Half : public ::testing::TestWithParam<const char*> {};

TEST_P(Half, TrainsLikeFloat32) {
    TrainingSetup setup = setup_of("Adam");
    Executor exact(branches(), &setup, options_of(16));
    setup.precision = GetParam();
    Executor rounded(branches(), &setup, options_of(16));
    exact.initialize(6);
    rounded.initialize(6);
    const auto x = random_values(16 * pixels, 7);
    const auto labels = labels_of(16, 3);
    double first = 0.0, last = 0.0, last_exact = 0.0;
    for (std::int64_t t = 1; t <= 40; ++t) {
        ops::StepScalars scalars = scalars_of(0.01F, t);
        last_exact = exact.train_step(x.data(), labels.data(), 16, scalars).loss_sum;
        scalars.loss_scale = 256.0F;
        const BatchResult result = rounded.train_step(x.data(), labels.data(), 16, scalars);
        ASSERT_TRUE(result.applied);
        if (t == 1) first = result.loss_sum;
        last = result.loss_sum;
    }
    EXPECT_LT(last_exact, 0.5 * first);
    EXPECT_LT(last, 0.5 * first);
    EXPECT_NEAR(last, last_exact, 0.1 * first);
    EXPECT_FALSE(same(exact.snapshot(false), rounded.snapshot(false))) << "it computes in 16 bits";
}

TEST_P(Half, TheMasterCopyIsFloat32) {
    TrainingSetup setup = setup_of("SGD");
    setup.precision = GetParam();
    Executor executor(
        model_of({layer("input", "InputLayer", {{"shape", {4}}}),
                  layer("output", "Dense", {{"units", 3}, {"activation", "softmax"}})}),
        &setup, options_of(8));
    executor.initialize(1);
    const auto x = random_values(8 * 4, 2);
    const auto labels = labels_of(8, 3);
    const std::vector<HostTensor> before = executor.snapshot(false);
    for (std::int64_t t = 1; t <= 100; ++t)
        executor.train_step(x.data(), labels.data(), 8, scalars_of(1e-5F, t));
    // Each change is far below a step of the 16-bit types; the sum is not.
    const double moved = distance(executor.snapshot(false), before);
    EXPECT_GT(moved, 1e-5);
    EXPECT_LT(moved, 1e-3);
}

TEST_P(Half, TheActivationsTakeHalfTheMemory) {
    TrainingSetup setup = setup_of("SGD");
    const Model model = model_of({layer("input", "InputLayer", {{"shape", {64}}}),
                                  layer("a", "Dense", {{"units", 256}, {"activation", "relu"}}),
                                  layer("b", "Dense", {{"units", 256}, {"activation", "relu"}}),
                                  layer("c", "Dense", {{"units", 10}, {"activation", "softmax"}})});
    const auto exact = predict_memory(model, &setup, options_of(128));
    setup.precision = GetParam();
    const auto half = predict_memory(model, &setup, options_of(128));
    EXPECT_LE(half[device::Category::activations], 0.55 * exact[device::Category::activations]);
    EXPECT_EQ(half[device::Category::gradients], exact[device::Category::gradients]);
    EXPECT_GT(half[device::Category::weights], exact[device::Category::weights]);
    EXPECT_EQ(Executor(model, &setup, options_of(128)).memory().bytes, half.bytes);
}

INSTANTIATE_TEST_SUITE_P(Policies, Half, ::testing::Values("mixed_bfloat16", "mixed_float16"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Precision, OfALayerComesBeforeTheModels) {
    TrainingSetup setup = setup_of("SGD");
    setup.precision = "mixed_bfloat16";
    Model model = testing::classic();
    const auto all = predict_memory(model, &setup, options_of(32, DType::uint8));
    model.layers[static_cast<std::size_t>(model.index_of("hidden"))].precision = "float32";
    const auto mixed = predict_memory(model, &setup, options_of(32, DType::uint8));
    EXPECT_EQ(all[device::Category::weights] - mixed[device::Category::weights], 784U * 128 * 2);
    setup.precision = "float32";
    const Plan plan =
        make_plan(model, require_valid(model), lay_out_state(model, require_valid(model), &setup),
                  &setup, Mode::train, 32, DType::uint8);
    for (const ops::Value& value : plan.program.values)
        EXPECT_NE(value.dtype, DType::bfloat16) << value.name;
}

TEST(Overflow, ChangesNothingAndSaysWhere) {
    TrainingSetup setup = setup_of("Adam");
    setup.precision = "mixed_float16";
    setup.ema_momentum = 0.9F;
    Executor executor(branches(), &setup, options_of(4));
    executor.initialize(9);
    auto x = random_values(4 * pixels, 10);
    const auto labels = labels_of(4, 3);
    executor.train_step(x.data(), labels.data(), 4, scalars_of(0.01F, 1));
    ops::StepScalars scalars = scalars_of(0.01F, 2);
    EXPECT_FALSE(executor.find_not_finite(x.data(), labels.data(), 4, scalars));
    const std::vector<HostTensor> before = executor.snapshot(true);
    scalars.loss_scale = 1e30F;
    const BatchResult result = executor.train_step(x.data(), labels.data(), 4, scalars);
    EXPECT_FALSE(result.applied);
    EXPECT_FALSE(std::isfinite(result.gradient_norm));
    EXPECT_TRUE(std::isfinite(result.loss_sum));
    std::vector<HostTensor> after = executor.snapshot(true);
    for (std::size_t i = 0; i < after.size(); ++i)
        if (after[i].role.find("moving") == std::string::npos) {
            EXPECT_EQ(after[i].values, before[i].values) << after[i].layer << after[i].role;
        }
    const auto where = executor.find_not_finite(x.data(), labels.data(), 4, scalars);
    ASSERT_TRUE(where);
    EXPECT_EQ(where->layer, "output");
    EXPECT_TRUE(where->backward);
    // An input that overflows leaves the moving statistics finite.
    for (float& v : x) v *= 1e30F;
    EXPECT_FALSE(executor.train_step(x.data(), labels.data(), 4, scalars_of(0.01F, 2)).applied);
    const auto first = executor.find_not_finite(x.data(), labels.data(), 4, scalars_of(0.01F, 2));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->layer, "stem");
    EXPECT_FALSE(first->backward);
    for (const HostTensor& tensor : executor.snapshot(true))
        for (float v : tensor.values) EXPECT_TRUE(std::isfinite(v)) << tensor.role;
}

class Recomputation : public ::testing::TestWithParam<std::string> {};

TEST_P(Recomputation, GivesTheSameBits) {
    TrainingSetup setup = setup_of("Adam");
    setup.precision = GetParam();
    const Model model = branches();
    Executor plain(model, &setup, options_of(8));
    for (const bool all : {false, true}) {
        Model marked = model;
        for (LayerNode& node : marked.layers)
            node.recompute =
                all || node.name == "left" || node.name == "norm" || node.name == "act";
        Executor again(marked, &setup, options_of(8));
        EXPECT_EQ(again.memory().bytes, predict_memory(marked, &setup, options_of(8)).bytes);
        plain.initialize(5);
        again.initialize(5);
        const auto labels = labels_of(8, 3);
        for (std::int64_t t = 1; t <= 5; ++t) {
            const auto x = random_values(8 * pixels, static_cast<std::uint32_t>(20 + t));
            const auto a = plain.train_step(x.data(), labels.data(), 8, scalars_of(0.01F, t));
            const auto b = again.train_step(x.data(), labels.data(), 8, scalars_of(0.01F, t));
            EXPECT_EQ(a.loss_sum, b.loss_sum);
            EXPECT_EQ(a.gradient_norm, b.gradient_norm);
        }
        EXPECT_TRUE(same(plain.snapshot(true), again.snapshot(true)));
    }
}

// Twelve equal layers of which every fourth is kept: 3 outputs and one stretch of 4 at a time.
TEST_P(Recomputation, NeedsLessMemory) {
    TrainingSetup setup = setup_of("SGD");
    setup.precision = GetParam();
    std::vector<Json> layers{layer("input", "InputLayer", {{"shape", {32}}})};
    for (int i = 0; i < 12; ++i) {
        layers.push_back(
            layer("layer_" + std::to_string(i), "Dense", {{"units", 256}, {"activation", "tanh"}}));
        layers.back()["recompute"] = i % 4 != 3;
    }
    layers.push_back(layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}}));
    const Model marked = model_of(layers);
    Model plain = marked;
    for (LayerNode& node : plain.layers) node.recompute = false;
    const auto kept = predict_memory(plain, &setup, options_of(512));
    const auto again = predict_memory(marked, &setup, options_of(512));
    EXPECT_LE(again[device::Category::activations], 0.65 * kept[device::Category::activations]);
    EXPECT_EQ(again[device::Category::weights], kept[device::Category::weights]);
}

INSTANTIATE_TEST_SUITE_P(Policies, Recomputation,
                         ::testing::Values("float32", "mixed_bfloat16", "mixed_float16"),
                         [](const auto& test) { return test.param; });

TEST(Probe, CountsUnitsThatGiveNothing) {
    const TrainingSetup setup = setup_of();
    Executor executor(
        model_of({layer("input", "InputLayer", {{"shape", {2}}}),
                  layer("hidden", "Dense", {{"units", 4}, {"activation", "relu"}}),
                  layer("output", "Dense", {{"units", 2}, {"activation", "softmax"}})}),
        &setup, options_of(64));
    executor.initialize(1);
    std::vector<HostTensor> weights = executor.snapshot(false);
    weights[0].values = {1, -1, 1, 0, 1, -1, -1, 0};  // of inputs that are positive
    weights[1].values = {0, 0, 0, -1};
    executor.restore(weights);
    const std::vector<float> x{0.5F, 0.25F, 0.25F, 0.5F, 1, 1};
    const auto activity = executor.probe(x.data(), 3);
    ASSERT_EQ(activity.size(), 1U);
    EXPECT_EQ(activity[0].layer, "hidden");
    EXPECT_EQ(activity[0].units, 4);
    EXPECT_EQ(activity[0].dead, 2);
    EXPECT_EQ(activity[0].samples, 3);
}

TEST(Memory, ThePredictionIsTheArenaForEveryTechnique) {
    for (const char* precision : {"float32", "mixed_bfloat16", "mixed_float16"})
        for (const bool accumulates : {false, true})
            for (const bool recompute : {false, true})
                for (const bool average : {false, true}) {
                    TrainingSetup setup = setup_of("Adam");
                    setup.precision = precision;
                    setup.accumulates = accumulates;
                    if (average) setup.ema_momentum = 0.9F;
                    Model model = testing::cnn();
                    for (LayerNode& node : model.layers) node.recompute = recompute;
                    ExecutorOptions options = options_of(16, DType::uint8);
                    options.other_batches = {5};
                    EXPECT_EQ(predict_memory(model, &setup, options).bytes,
                              Executor(model, &setup, options).memory().bytes);
                }
}

}  // namespace
}  // namespace strata::graph
