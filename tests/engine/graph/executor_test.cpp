// The executor: gradients of whole models, state that is saved and put back, batches of every size,
// errors.
#include "engine/graph/executor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/random.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/layers/error_of.h"

namespace strata::graph {
namespace {

using strata::testing::error_of;
using strata::testing::random_values;
using testing::branches;
using testing::labels_of;
using testing::layer;
using testing::model_of;
using testing::options_of;
using testing::scalars_of;
using testing::setup_of;

double relative_slope_error(Executor& executor, std::vector<HostTensor>& state, float& weight,
                            double gradient, const void* x, const void* t, std::int64_t n) {
    constexpr float h = 0.004F;
    const float middle = weight;
    const auto loss_at = [&](float offset) {
        weight = middle + offset;
        executor.restore(state);
        weight = middle;
        return executor.train_step(x, t, n, scalars_of(0.0F)).loss_sum;
    };
    const double slope = (loss_at(h) - loss_at(-h)) /
                         (static_cast<double>(middle + h) - static_cast<double>(middle - h));
    return std::abs(slope - gradient) / std::max(1.0, std::abs(slope));
}

// The loss's slope by every eighth weight. A learning rate of 0 leaves the weights. The slope's
// rounding error is about 1e-6 / h = 3e-4.
void expect_gradients(const Model& model, const TrainingSetup& setup, const std::vector<float>& x,
                      const void* targets, std::int64_t n, double tolerance = 2e-3) {
    Executor executor(model, &setup, options_of(n));
    executor.initialize(3);
    std::vector<HostTensor> state = executor.snapshot(false);
    executor.train_step(x.data(), targets, n, scalars_of(0.0F));
    const std::vector<HostTensor> gradients = executor.gradients();
    int checked = 0;
    for (HostTensor& tensor : state)
        for (const HostTensor& gradient : gradients) {
            if (gradient.layer != tensor.layer || gradient.role != tensor.role) continue;
            for (std::size_t e = 0; e < tensor.values.size(); e += 8) {
                const double error = relative_slope_error(executor, state, tensor.values[e],
                                                          static_cast<double>(gradient.values[e]),
                                                          x.data(), targets, n);
                ++checked;
                EXPECT_LT(error, tolerance)
                    << tensor.layer << "/" << tensor.role << "[" << e << "]";
            }
        }
    EXPECT_GT(checked, 4);
}

TEST(Executor, GradientsOfABranchedModelAreTheSlopes) {
    const auto x = random_values(5 * 72, 4);
    const auto labels = labels_of(5, 3);
    expect_gradients(branches("softplus", "AveragePooling2D"), setup_of(), x, labels.data(), 5);
    // Inputs for which no relu and no pooling window has its kink within the steps.
    for (std::uint64_t seed : {13U, 16U, 22U}) {
        const auto apart = random_values(5 * 72, seed);
        expect_gradients(branches(), setup_of(), apart, labels.data(), 5, 1e-2);
    }
}

// The gradient of x is a sum in which one value, that of the last sum, comes twice.
TEST(Executor, GradientsOfNestedSumsAreTheSlopes) {
    const Json softplus{{"units", 4}, {"activation", "softplus"}};
    const Model model = model_of(
        {layer("in", "InputLayer", {{"shape", {5}}}), layer("x", "Dense", softplus, {"in"}),
         layer("h", "Dense", softplus, {"x"}), layer("inner", "Add", Json::object(), {"h", "x"}),
         layer("g", "Dense", softplus, {"x"}),
         layer("outer", "Add", Json::object(), {"inner", "g", "x"}),
         layer("out", "Dense", {{"units", 3}}, {"outer"})});
    const auto x = random_values(20, 1), targets = random_values(12, 2);
    expect_gradients(model, setup_of("SGD", Json::object(), "mse", {}), x, targets.data(), 4);
}

// Add([a, b, a]) = 2 a + b where nobody else reads a, so that the sum could work in its place.
TEST(Executor, ASumCountsAnInputAsOftenAsItComes) {
    const auto dense = [](const char* name) {
        return layer(name, "Dense", {{"units", 3}, {"use_bias", false}}, {"in"});
    };
    const Model model =
        model_of({layer("in", "InputLayer", {{"shape", {2}}}), dense("a"), dense("b"),
                  layer("sum", "Add", Json::object(), {"a", "b", "a"})});
    Executor executor(model, nullptr, options_of(4));
    executor.initialize(1);
    const auto x = random_values(4 * 2, 1);
    std::vector<float> actual(4 * 3);
    executor.predict(x.data(), 4, actual.data());
    const std::vector<HostTensor> state = executor.snapshot(false);
    std::vector<double> expected(4 * 3, 0.0);
    for (std::size_t e = 0; e < expected.size(); ++e)
        for (std::size_t k = 0; k < 2; ++k) {
            const std::size_t at = k * 3 + e % 3;
            expected[e] += static_cast<double>(x[e / 3 * 2 + k]) *
                           (2 * static_cast<double>(state.at(0).values[at]) +
                            static_cast<double>(state.at(1).values[at]));
        }
    EXPECT_LE(strata::testing::distance(actual, expected), 1e-5);
}

TEST(Executor, GradientsOfEachLossAreTheSlopes) {
    struct Case {
        const char *loss, *activation;
    };
    for (const Case& c :
         {Case{"categorical_crossentropy", "softmax"}, Case{"categorical_crossentropy", "sigmoid"},
          Case{"binary_crossentropy", "sigmoid"}, Case{"binary_crossentropy", "softmax"},
          Case{"mse", "linear"}, Case{"mse", "tanh"}, Case{"mse", "softmax"}}) {
        SCOPED_TRACE(std::string(c.loss) + " of " + c.activation);
        const Model model =
            model_of({layer("in", "InputLayer", {{"shape", {5}}}),
                      layer("h", "Dense", {{"units", 4}, {"activation", "softplus"}}),
                      layer("out", "Dense", {{"units", 3}, {"activation", c.activation}})});
        const auto x = random_values(20, 1), targets = random_values(12, 2, 0.05F, 0.9F);
        expect_gradients(model, setup_of("SGD", Json::object(), c.loss, {}), x, targets.data(), 4);
    }
}

// An output of several positions: Keras's mean over all values of a sample, whatever their shape.
TEST(Executor, ALossOfImagesIsAMeanOverTheirPixels) {
    const auto x = random_values(2 * 12, 1), targets = random_values(2 * 12, 2);
    for (const char* loss : {"mse", "binary_crossentropy"}) {
        const auto run = [&](const std::vector<Json>& layers) {
            const TrainingSetup setup = setup_of("SGD", Json::object(), loss, {"binary_accuracy"});
            Executor executor(model_of(layers), &setup, options_of(2));
            executor.initialize(1);
            const BatchResult result =
                executor.train_step(x.data(), targets.data(), 2, scalars_of(0.0F));
            return std::pair(result, executor.gradients());
        };
        const std::vector<Json> image{
            layer("in", "InputLayer", {{"shape", {3, 2, 2}}}),
            layer("out", "Dense", {{"units", 2}, {"activation", "sigmoid"}})};
        std::vector<Json> flat = image;
        flat.push_back(layer("flat", "Flatten"));
        const auto [result, gradients] = run(image);
        const auto [same, same_gradients] = run(flat);
        EXPECT_NEAR(result.loss_sum, same.loss_sum, 1e-6);
        EXPECT_DOUBLE_EQ(result.metric_sums[0], same.metric_sums[0]);
        EXPECT_LE(strata::testing::distance(gradients[0].values, same_gradients[0].values), 1e-6);
    }
}

struct Trained {
    BatchResult result;
    std::vector<HostTensor> gradients;
};

Trained train_once(const std::vector<Json>& layers, const std::string& loss) {
    const TrainingSetup setup = setup_of("SGD", Json::object(), loss, {});
    Executor executor(model_of(layers), &setup, options_of(4));
    executor.initialize(1);
    const auto x = random_values(4 * 5, 1), soft = random_values(4 * 3, 2, 0.05F, 0.9F);
    const auto labels = labels_of(4, 3);
    const bool by_index = loss == "sparse_categorical_crossentropy";
    const void* targets = by_index ? static_cast<const void*>(labels.data()) : soft.data();
    const BatchResult result = executor.train_step(x.data(), targets, 4, scalars_of(0.0F));
    return {result, executor.gradients()};
}

// Layers at the end that hand on what they get change neither the loss nor any gradient, whether
// the activation before them is fused with the loss or not.
TEST(Executor, LastLayersThatPassTheirInputOnChangeNothing) {
    const auto linear = [](const char* name) {
        return layer(name, "Activation", {{"activation", "linear"}});
    };
    const std::vector<std::vector<Json>> tails{
        {linear("t")},
        {layer("t", "Dropout", {{"rate", 0}})},
        {layer("t", "Flatten")},
        {layer("t", "Reshape", {{"target_shape", Json::array({3})}})},
        {layer("t", "Rescaling", {{"scale", 1.0}, {"offset", 0.0}})},
        {linear("t"), layer("u", "Dropout", {{"rate", 0}})},
        {layer("t", "Flatten"), linear("u")}};
    struct Case {
        const char *loss, *activation;
    };
    for (const Case& c : {Case{"sparse_categorical_crossentropy", "softmax"},
                          Case{"categorical_crossentropy", "softmax"},
                          Case{"binary_crossentropy", "sigmoid"}, Case{"mse", "tanh"}})
        for (const bool apart : {false, true}) {
            std::vector<Json> plain{layer("in", "InputLayer", {{"shape", {5}}}),
                                    layer("h", "Dense", {{"units", 4}, {"activation", "tanh"}})};
            if (apart) {
                plain.push_back(layer("out", "Dense", {{"units", 3}}));
                plain.push_back(layer("act", "Activation", {{"activation", c.activation}}));
            } else {
                plain.push_back(
                    layer("out", "Dense", {{"units", 3}, {"activation", c.activation}}));
            }
            const Trained expected = train_once(plain, c.loss);
            ASSERT_GT(expected.result.gradient_norm, 1e-3);
            for (const std::vector<Json>& tail : tails) {
                SCOPED_TRACE(std::string(c.loss) + (apart ? " apart, " : ", ") + tail[0].dump());
                std::vector<Json> longer = plain;
                longer.insert(longer.end(), tail.begin(), tail.end());
                const Trained actual = train_once(longer, c.loss);
                EXPECT_NEAR(actual.result.loss_sum, expected.result.loss_sum, 1e-5);
                EXPECT_NEAR(actual.result.gradient_norm, expected.result.gradient_norm, 1e-5);
                ASSERT_EQ(actual.gradients.size(), expected.gradients.size());
                for (std::size_t i = 0; i < expected.gradients.size(); ++i)
                    EXPECT_LE(strata::testing::distance(actual.gradients[i].values,
                                                        expected.gradients[i].values),
                              1e-5)
                        << expected.gradients[i].layer << "/" << expected.gradients[i].role;
            }
        }
}

TEST(Executor, StartsFromTheDrawnWeights) {
    const TrainingSetup setup = setup_of();
    Executor executor(testing::classic(), &setup, options_of(4));
    executor.initialize(7);
    const std::vector<HostTensor> state = executor.snapshot(true);
    ASSERT_EQ(state.size(), 4U);
    EXPECT_EQ(state[0].layer, "hidden");
    EXPECT_EQ(state[0].role, "kernel");
    EXPECT_EQ(state[2].layer, "output");
    const float limit = std::sqrt(6.0F / (784 + 128));
    for (std::uint64_t e : {0U, 1U, 6U, 100351U}) {
        const float u = random::uniform(random::draw(7, 0, 0, e / 4)[e % 4]);
        EXPECT_FLOAT_EQ(state[0].values[e], limit * (2 * u - 1)) << e;
    }
    const float u = random::uniform(random::draw(7, 2, 0, 0)[3]);
    EXPECT_FLOAT_EQ(state[2].values[3], std::sqrt(6.0F / 138) * (2 * u - 1));
    for (float bias : state[1].values) EXPECT_EQ(bias, 0.0F);
}

class Resumes : public ::testing::TestWithParam<const char*> {};

// N steps, save, restore into another executor and M steps equal N + M steps, bit for bit.
TEST_P(Resumes, BitForBit) {
    const Json config = std::string(GetParam()) == "SGD" ? Json{{"momentum", 0.9}} : Json::object();
    const TrainingSetup setup = setup_of(GetParam(), config);
    const auto x = random_values(6 * 72, 4);
    const auto labels = labels_of(6, 3);
    const auto steps = [&](Executor& executor, int first, int last) {
        for (int t = first; t <= last; ++t)
            executor.train_step(x.data(), labels.data(), 6, scalars_of(0.01F, t));
    };
    Executor through(branches(), &setup, options_of(6)), begun(branches(), &setup, options_of(6)),
        resumed(branches(), &setup, options_of(6));
    through.initialize(1);
    steps(through, 1, 9);
    begun.initialize(1);
    steps(begun, 1, 4);
    resumed.initialize(99);
    resumed.restore(begun.snapshot(true));
    steps(resumed, 5, 9);
    const auto expected = through.snapshot(true), actual = resumed.snapshot(true);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(actual[i].slot, expected[i].slot);
        EXPECT_EQ(actual[i].values, expected[i].values) << expected[i].layer << expected[i].role;
    }
}

INSTANTIATE_TEST_SUITE_P(Optimizers, Resumes, ::testing::Values("SGD", "Adam"),
                         [](const auto& use) { return std::string(use.param); });

TEST(Executor, ServesEveryBatchUpToItsLargest) {
    const TrainingSetup setup = setup_of("Adam");
    Executor executor(branches(), &setup, options_of(8));
    executor.initialize(2);
    const auto x = random_values(8 * 72, 4);
    const auto labels = labels_of(8, 3);
    const BatchResult whole = executor.evaluate(x.data(), labels.data(), 8);
    BatchResult parts;
    parts.metric_sums = {0.0};
    std::vector<float> outputs(24);
    std::int64_t first = 0;
    for (std::int64_t n : {3, 1, 4}) {
        const BatchResult part = executor.evaluate(x.data() + 72 * first, labels.data() + first, n);
        parts.loss_sum += part.loss_sum;
        parts.metric_sums[0] += part.metric_sums.at(0);
        executor.predict(x.data() + 72 * first, n, outputs.data() + 3 * first);
        first += n;
    }
    EXPECT_NEAR(parts.loss_sum, whole.loss_sum, 1e-5);
    EXPECT_EQ(parts.metric_sums, whole.metric_sums);
    double loss = 0;
    for (std::size_t i = 0; i < 8; ++i)
        loss -= std::log(static_cast<double>(outputs[3 * i + static_cast<std::size_t>(labels[i])]));
    EXPECT_NEAR(loss, whole.loss_sum, 1e-5) << "prediction and loss disagree";
    for (std::int64_t n : {0, 9}) {
        const Error error = error_of([&] { executor.evaluate(x.data(), labels.data(), n); });
        EXPECT_EQ(error.where(), "batch");
    }
}

TEST(Executor, PredictionsInBetweenDoNotDisturbTraining) {
    const TrainingSetup setup = setup_of("Adam");
    const auto x = random_values(6 * 72, 4);
    const auto labels = labels_of(6, 3);
    const auto train = [&](bool disturbed) {
        Executor executor(branches(), &setup, options_of(6));
        executor.initialize(1);
        std::vector<float> outputs(18);
        for (int t = 1; t <= 5; ++t) {
            executor.train_step(x.data(), labels.data(), 6, scalars_of(0.01F, t));
            if (!disturbed) continue;
            executor.evaluate(x.data(), labels.data(), 5);
            executor.predict(x.data(), 6, outputs.data());
        }
        return executor.snapshot(true);
    };
    const auto plain = train(false), disturbed = train(true);
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_EQ(disturbed[i].values, plain[i].values) << plain[i].layer << "/" << plain[i].role;
}

TEST(Executor, ReportsTheNormOfTheMeanGradient) {
    const TrainingSetup setup = setup_of();
    Executor executor(branches(), &setup, options_of(6));
    executor.initialize(1);
    const auto x = random_values(6 * 72, 4);
    const auto labels = labels_of(6, 3);
    ops::StepScalars scalars = scalars_of(0.0F);
    const BatchResult plain = executor.train_step(x.data(), labels.data(), 6, scalars);
    double squares = 0;
    for (const HostTensor& gradient : executor.gradients())
        for (float g : gradient.values) squares += static_cast<double>(g) * static_cast<double>(g);
    EXPECT_NEAR(plain.gradient_norm, std::sqrt(squares) / 6, 1e-6);
    scalars.loss_scale = 256;
    const BatchResult scaled = executor.train_step(x.data(), labels.data(), 6, scalars);
    EXPECT_NEAR(scaled.gradient_norm, plain.gradient_norm, 1e-6);
    EXPECT_NEAR(scaled.loss_sum, plain.loss_sum, 1e-9);
}

TEST(Executor, RefusesStateOfAnotherModel) {
    const TrainingSetup setup = setup_of("Adam");
    Executor executor(branches(), &setup, options_of(2));
    executor.initialize(1);
    std::vector<HostTensor> state = executor.snapshot(true);
    std::vector<HostTensor> short_one(state.begin(), state.begin() + 3);
    EXPECT_EQ(error_of([&] { executor.restore(short_one); }).code(), ErrorCode::format);
    EXPECT_NO_THROW(executor.restore(short_one, false));
    state[0].shape = Shape{1};
    EXPECT_NE(error_of([&] { executor.restore(state); }).message().find("stem/kernel"),
              std::string::npos);
    state[0].layer = "other";
    EXPECT_NE(error_of([&] { executor.restore(state); }).message().find("other/kernel"),
              std::string::npos);
}

TEST(Executor, SaysWhyItCannotBegin) {
    const TrainingSetup setup = setup_of();
    ExecutorOptions options = options_of(64);
    options.device = "cpu:x";
    EXPECT_EQ(error_of([&] { Executor(testing::cnn(), &setup, options); }).code(),
              ErrorCode::not_found);
    options.device = "cpu:0";
    options.device_options.memory_limit = 1 << 20;
    const Error memory = error_of([&] { Executor(testing::cnn(), &setup, options); });
    EXPECT_EQ(memory.code(), ErrorCode::out_of_memory);
    EXPECT_NE(memory.message().find("activations"), std::string::npos) << memory.message();
    const Model image =
        model_of({layer("in", "InputLayer", {{"shape", {4, 4, 1}}}), layer("a", "MaxPooling2D")});
    EXPECT_EQ(error_of([&] { Executor(image, &setup, options_of(2)); }).where(), "loss");
    Executor predictor(testing::classic(), nullptr, options_of(2));
    const std::vector<float> x(2 * 784);
    const std::vector<std::int32_t> labels(2);
    EXPECT_EQ(error_of([&] { predictor.evaluate(x.data(), labels.data(), 2); }).code(),
              ErrorCode::internal);
}

}  // namespace
}  // namespace strata::graph
