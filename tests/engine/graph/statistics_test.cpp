// The moving averages of BatchNormalization where micro-batches make an update: with each as it
// comes, or deferred to the update.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/graph/executor.h"
#include "engine/graph/plan.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

using strata::testing::random_values;
using testing::labels_of;
using testing::layer;
using testing::model_of;
using testing::options_of;
using testing::scalars_of;
using testing::setup_of;

constexpr std::int64_t features = 5;
constexpr float momentum = 0.9F;

// What is normalised is the input itself, so that its statistics are known.
Model normalised_input() {
    return model_of({layer("input", "InputLayer", {{"shape", {features}}}),
                     layer("norm", "BatchNormalization", {{"momentum", momentum}}),
                     layer("output", "Dense", {{"units", 3}, {"activation", "softmax"}})});
}

TrainingSetup setup_for(bool deferred, bool accumulates = true) {
    TrainingSetup setup = setup_of("SGD");
    setup.accumulates = accumulates;
    setup.deferred_statistics = deferred;
    return setup;
}

ExecutorOptions parts_of_4() {
    ExecutorOptions options = options_of(4);
    options.other_batches = {2};
    return options;
}

UpdateResult train_window(Executor& executor, const std::vector<float>& x,
                          const std::vector<std::int64_t>& parts, ops::StepScalars scalars) {
    const std::int64_t pixels = executor.plan(Mode::train)
                                    .program[executor.plan(Mode::train).input]
                                    .shape.without_batch()
                                    .elements();
    const std::int64_t all = std::ssize(x) / pixels;
    const auto labels = labels_of(all, 3);
    std::int64_t done = 0;
    for (const std::int64_t n : parts) {
        scalars.first_in_window = done == 0;
        scalars.first_sample = done;
        executor.accumulate(x.data() + done * pixels, labels.data() + done, n, scalars);
        done += n;
    }
    EXPECT_EQ(done, all);
    return executor.update(all, scalars);
}

std::vector<float> weight(const Executor& executor, const std::string& role) {
    for (const HostTensor& tensor : executor.snapshot(false))
        if (tensor.layer == "norm" && tensor.role == role) return tensor.values;
    return {};
}

struct Moments {
    double mean = 0.0, variance = 0.0;  // biased
};

Moments moments_of(const std::vector<float>& x, std::int64_t column) {
    Moments m;
    const auto rows = static_cast<double>(x.size() / features);
    for (std::size_t i = static_cast<std::size_t>(column); i < x.size(); i += features)
        m.mean += static_cast<double>(x[i]) / rows;
    for (std::size_t i = static_cast<std::size_t>(column); i < x.size(); i += features)
        m.variance += std::pow(static_cast<double>(x[i]) - m.mean, 2) / rows;
    return m;
}

// Ten samples of which each part has a mean of its own: a mean of means, or of variances, is wrong.
std::vector<float> drifting(float offset = 0.0F) {
    std::vector<float> x = random_values(10 * features, 1);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] += offset + 0.5F * static_cast<float>(i / features);
    return x;
}

TEST(DeferredStatistics, AreThoseOfAllSamplesOfTheWindow) {
    for (const float offset : {0.0F, 4096.0F}) {
        const TrainingSetup setup = setup_for(true);
        Executor parts(normalised_input(), &setup, parts_of_4());
        parts.initialize(3);
        const std::vector<float> x = drifting(offset);
        EXPECT_TRUE(train_window(parts, x, {4, 4, 2}, scalars_of(0.01F)).applied);
        const auto mean = weight(parts, "moving_mean"), variance = weight(parts, "moving_variance");
        for (std::int64_t c = 0; c < features; ++c) {
            const Moments all = moments_of(x, c);
            const auto i = static_cast<std::size_t>(c);
            EXPECT_NEAR(mean[i], 0.1 * all.mean, 1e-6 * (1.0 + all.mean));
            // The means of the parts are float32: 2e-4 around 4096.
            EXPECT_NEAR(variance[i], 0.9 + 0.1 * all.variance,
                        1e-6 * (1.0 + all.variance) + 3e-8 * static_cast<double>(offset));
        }
    }
}

TEST(DeferredStatistics, EqualThoseOfTheBatchInOnePiece) {
    const TrainingSetup whole_setup = setup_for(false, false), setup = setup_for(true),
                        usual_setup = setup_for(false);
    Executor whole(normalised_input(), &whole_setup, options_of(10));
    Executor parts(normalised_input(), &setup, parts_of_4());
    Executor usual(normalised_input(), &usual_setup, parts_of_4());
    for (Executor* executor : {&whole, &parts, &usual}) executor->initialize(3);
    for (std::int64_t t = 1; t <= 3; ++t) {
        const std::vector<float> x = drifting(static_cast<float>(t));
        train_window(whole, x, {10}, scalars_of(0.0F, t));
        train_window(parts, x, {4, 4, 2}, scalars_of(0.0F, t));
        train_window(usual, x, {4, 4, 2}, scalars_of(0.0F, t));
    }
    for (const char* role : {"moving_mean", "moving_variance"}) {
        const auto expected = weight(whole, role), found = weight(parts, role);
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(found[i], expected[i], 2e-6 * (1.0F + std::abs(expected[i]))) << role;
        EXPECT_NE(weight(usual, role), expected) << "moved three times as often";
    }
}

TEST(DeferredStatistics, OfAWindowOfOneAreTheUsualBits) {
    const TrainingSetup usual_setup = setup_for(false, false), setup = setup_for(true, false);
    Executor usual(testing::branches(), &usual_setup, options_of(8));
    Executor deferred(testing::branches(), &setup, options_of(8));
    for (Executor* executor : {&usual, &deferred}) {
        executor->initialize(5);
        for (std::int64_t t = 1; t <= 4; ++t)
            train_window(*executor, random_values(8 * 72, static_cast<std::uint32_t>(t)), {8},
                         scalars_of(0.01F, t));
    }
    const auto a = usual.snapshot(true), b = deferred.snapshot(true);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(a[i].values, b[i].values) << a[i].layer << "/" << a[i].role;
}

TEST(DeferredStatistics, OfASkippedWindowChangeNothing) {
    for (const bool deferred : {true, false}) {
        TrainingSetup setup = setup_for(deferred);
        setup.precision = "mixed_float16";
        Executor executor(normalised_input(), &setup, parts_of_4());
        executor.initialize(3);
        train_window(executor, drifting(), {4, 4, 2}, scalars_of(0.01F, 1));
        const auto mean = weight(executor, "moving_mean");
        const auto variance = weight(executor, "moving_variance");
        ops::StepScalars overflows = scalars_of(0.01F, 2);
        overflows.loss_scale = 1e30F;
        EXPECT_FALSE(train_window(executor, drifting(), {4, 4, 2}, overflows).applied);
        // As in Keras where each micro-batch counts: it was finite when it came.
        EXPECT_EQ(weight(executor, "moving_mean") == mean, deferred);
        EXPECT_EQ(weight(executor, "moving_variance") == variance, deferred);
    }
}

// A sample that is not finite leaves no trace in the windows that follow.
TEST(DeferredStatistics, StartAnewWithEachWindow) {
    const TrainingSetup setup = setup_for(true);
    Executor after(normalised_input(), &setup, parts_of_4());
    Executor fresh(normalised_input(), &setup, parts_of_4());
    after.initialize(3);
    fresh.initialize(3);
    std::vector<float> bad = drifting();
    bad[7] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(train_window(after, bad, {4, 4, 2}, scalars_of(0.01F)).applied);
    EXPECT_EQ(weight(after, "moving_mean"), weight(fresh, "moving_mean"));
    for (Executor* executor : {&after, &fresh})
        EXPECT_TRUE(train_window(*executor, drifting(), {4, 4, 2}, scalars_of(0.01F)).applied);
    EXPECT_EQ(weight(after, "moving_mean"), weight(fresh, "moving_mean"));
    EXPECT_EQ(weight(after, "moving_variance"), weight(fresh, "moving_variance"));
}

TEST(DeferredStatistics, AreCountedOnceWhereActivationsAreComputedAgain) {
    const TrainingSetup setup = setup_for(true);
    Model marked = testing::branches();
    for (LayerNode& node : marked.layers) node.recompute = true;
    Executor plain(testing::branches(), &setup, parts_of_4());
    Executor again(marked, &setup, parts_of_4());
    for (Executor* executor : {&plain, &again}) {
        executor->initialize(5);
        for (std::int64_t t = 1; t <= 3; ++t)
            train_window(*executor, random_values(10 * 72, static_cast<std::uint32_t>(t)),
                         {4, 4, 2}, scalars_of(0.01F, t));
    }
    const auto a = plain.snapshot(true), b = again.snapshot(true);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(a[i].values, b[i].values) << a[i].layer << "/" << a[i].role;
}

// 39 samples of this model pack worse than 40: the arena grows within the window, and what the
// first micro-batch left must outlive it.
TEST(DeferredStatistics, OutliveAnArenaThatGrows) {
    TrainingSetup setup = setup_for(true);
    setup.precision = "mixed_bfloat16";
    ExecutorOptions foreseen = options_of(40);
    foreseen.other_batches = {39};
    Executor growing(testing::branches(), &setup, options_of(40));
    Executor planned(testing::branches(), &setup, foreseen);
    const auto before = growing.memory().bytes;
    for (Executor* executor : {&growing, &planned}) {
        executor->initialize(5);
        train_window(*executor, random_values(79 * 72, 1), {40, 39}, scalars_of(0.01F));
    }
    ASSERT_NE(growing.memory().bytes, before);
    const auto a = planned.snapshot(true), b = growing.snapshot(true);
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_EQ(a[i].values, b[i].values) << a[i].layer << "/" << a[i].role;
}

TEST(DeferredStatistics, MoveAlsoWhereNothingIsTrained) {
    const TrainingSetup setup = setup_for(true);
    Executor executor(model_of({layer("input", "InputLayer", {{"shape", {features}}}),
                                layer("norm", "BatchNormalization",
                                      {{"momentum", 0.0}, {"center", false}, {"scale", false}}),
                                layer("output", "Activation", {{"activation", "softmax"}})}),
                      &setup, parts_of_4());
    executor.initialize(3);
    std::vector<float> x = drifting();
    train_window(executor, x, {4, 4, 2}, scalars_of(0.01F));
    for (std::int64_t c = 0; c < features; ++c)
        EXPECT_NEAR(weight(executor, "moving_mean")[static_cast<std::size_t>(c)],
                    moments_of(x, c).mean, 1e-5);
}

TEST(DeferredStatistics, AreInThePlansMemory) {
    const TrainingSetup usual = setup_for(false), setup = setup_for(true);
    const auto without = predict_memory(normalised_input(), &usual, parts_of_4());
    const auto with = predict_memory(normalised_input(), &setup, parts_of_4());
    const std::size_t window = 2 * device::aligned(features * sizeof(double));
    EXPECT_EQ(with[device::Category::workspace], without[device::Category::workspace] + window);
    EXPECT_EQ(with.bytes, Executor(normalised_input(), &setup, parts_of_4()).memory().bytes);
}

class NormIn : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Policies, NormIn, ::testing::Values("mixed_bfloat16", "mixed_float16"),
                         [](const auto& test) { return test.param; });

// Rows of 16 bits go in and out without a cast; what belongs to a channel is float32.
TEST_P(NormIn, SixteenBitsReadsRowsAsTheyAre) {
    TrainingSetup setup = setup_of("SGD");
    setup.precision = GetParam();
    const DType type = setup.precision == "mixed_float16" ? DType::float16 : DType::bfloat16;
    const Json plain{{"center", false}, {"scale", false}};
    const Model model = model_of(
        {layer("input", "InputLayer", {{"shape", {6, 6, 2}}}),
         layer("conv", "Conv2D", {{"filters", 8}, {"kernel_size", 3}, {"padding", "same"}}),
         layer("norm", "BatchNormalization"), layer("act", "Activation", {{"activation", "relu"}}),
         layer("plain", "BatchNormalization", plain), layer("flatten", "Flatten"),
         layer("output", "Dense", {{"units", 3}, {"activation", "softmax"}})});
    const ModelReport report = require_valid(model);
    for (const Mode mode : {Mode::train, Mode::evaluate}) {
        const Plan plan = make_plan(model, report, lay_out_state(model, report, &setup), &setup,
                                    mode, 16, DType::float32);
        int norms = 0;
        for (const ops::Op& op : plan.program.ops) {
            if (op.layer != "norm" && op.layer != "plain") continue;
            EXPECT_FALSE(std::holds_alternative<ops::ScaleShift>(op.attributes)) << op.layer;
            if (std::holds_alternative<ops::Fill>(op.attributes)) continue;
            ++norms;
            for (const auto* ids : {&op.inputs, &op.outputs})
                for (const ops::ValueId id : *ids) {
                    const ops::Value& value = plan.program[id];
                    EXPECT_EQ(value.dtype, value.shape.rank() == 1 ? DType::float32 : type)
                        << value.name;
                }
        }
        EXPECT_EQ(norms, mode == Mode::train ? 4 : 2);
    }
}

}  // namespace
}  // namespace strata::graph
