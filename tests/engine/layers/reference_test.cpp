// Every layer against Keras: outputs, gradients and moving statistics (tests/references/layers).
#include "tests/engine/core/reference.h"
#include "engine/graph/layer_runner.h"
#include "engine/layers/catalogue.h"

namespace strata::layers {
namespace {

using testing::distance;
using testing::flat;

// References are float64, the layers float32: |difference| <= this * max(1, |expected|).
constexpr double tolerance = 1e-5;

class EachReference : public ::testing::TestWithParam<std::string> {};

void compare_variables(const Json& entry, const Inference& inference, const graph::LayerRun& run) {
    std::size_t gradient = 0;
    for (std::size_t i = 0; i < entry.at("weights").size(); ++i) {
        const VariableSpec& spec = inference.variables.at(i);
        const Json& weight = entry.at("weights")[i];
        EXPECT_EQ(spec.role, weight.at("name"));
        EXPECT_EQ(spec.trainable, weight.at("trainable").get<bool>());
        EXPECT_EQ(spec.shape, testing::shape_of_list(weight.at("value")));
        EXPECT_LE(distance(run.variables.at(spec.role), flat<double>(entry.at("weights_after")[i])),
                  tolerance)
            << spec.role << " after the call";
        if (!spec.trainable || run.variable_gradients.empty()) continue;
        EXPECT_LE(distance(run.variable_gradients.at(spec.role),
                           flat<double>(entry.at("weight_gradients").at(gradient++))),
                  tolerance)
            << "gradient of " << spec.role;
    }
}

void compare_case(const Json& entry) {
    const LayerDescription& layer = find_layer(entry.at("class_name").get<std::string>());
    std::vector<Shape> shapes;
    std::vector<std::vector<float>> inputs;
    for (const Json& input : entry.at("inputs")) {
        shapes.push_back(testing::shape_of_list(input).without_batch());
        inputs.push_back(flat<float>(input));
    }
    const std::int64_t batch = testing::shape_of_list(entry.at("inputs")[0])[0];
    const graph::LayerRunner runner(layer, Config::checked(layer.spec.params, entry.at("config")),
                                    shapes);
    const Inference& inference = runner.inference();
    ASSERT_EQ(inference.variables.size(), entry.at("weights").size());
    std::map<std::string, std::vector<float>> variables;
    for (const Json& weight : entry.at("weights"))
        variables[weight.at("name").get<std::string>()] = flat<float>(weight.at("value"));
    const bool training = entry.at("training").get<bool>();
    const auto dy = training ? flat<float>(entry.at("output_gradient")) : std::vector<float>{};
    const graph::LayerRun run = runner.run(batch, inputs, variables, dy);
    EXPECT_EQ(run.output_shape, testing::shape_of_list(entry.at("output")));
    EXPECT_LE(distance(run.output, flat<double>(entry.at("output"))), tolerance);
    compare_variables(entry, inference, run);
    if (!training) return;
    for (std::size_t i = 0; i < entry.at("input_gradients").size(); ++i)
        EXPECT_LE(distance(run.input_gradients.at(i), flat<double>(entry.at("input_gradients")[i])),
                  tolerance)
            << "gradient of input " << i;
}

// Keras 3's sparsemax sums every partial sum of the support, so that its rows do not add up to 1;
// the engine follows Martins and Astudillo (arXiv 1602.02068), see Sparsemax below.
bool is_at_odds_with_its_paper(const Json& entry) {
    return entry.at("config").value("activation", "") == "sparsemax" &&
           entry.at("name") != "sparsemax_far";
}

TEST_P(EachReference, IsKerass) {
    const Json cases = testing::read_reference("layers/" + GetParam() + ".json");
    ASSERT_FALSE(cases.empty());
    for (const Json& entry : cases) {
        SCOPED_TRACE(entry.at("name").get<std::string>());
        if (is_at_odds_with_its_paper(entry)) continue;
        compare_case(entry);
    }
}

// Dropout is random, InputLayer computes nothing, and augment_test.cpp has the image augmentations;
// all others have a file.
std::vector<std::string> layers_with_references() {
    std::vector<std::string> types;
    for (const LayerDescription* layer : catalogue())
        if (layer->spec.type != "Dropout" && layer->spec.type != "InputLayer" &&
            !layer->spec.type.starts_with("Random"))
            types.push_back(layer->spec.type);
    return types;
}

INSTANTIATE_TEST_SUITE_P(Keras, EachReference, ::testing::ValuesIn(layers_with_references()),
                         [](const auto& use) { return use.param; });

// By hand: the support of (0.1, 1.1, 0.2, 0.3) is {1.1, 0.3}, its threshold (1.4 - 1) / 2 = 0.2; of
// (0.5, 0.25, 0.25, -9) it is the first three with threshold 0.
TEST(Sparsemax, IsTheProjectionOntoTheSimplex) {
    const LayerDescription& layer = find_layer("Activation");
    const graph::LayerRunner runner(
        layer, Config::checked(layer.spec.params, {{"activation", "sparsemax"}}), {Shape{4}});
    const graph::LayerRun run = runner.run(2, {{0.1F, 1.1F, 0.2F, 0.3F, 0.5F, 0.25F, 0.25F, -9.0F}},
                                           {}, {1.0F, 2.0F, 3.0F, 4.0F, 3.0F, 0.0F, 0.0F, 7.0F});
    EXPECT_LE(distance(run.output, std::vector<double>{0, 0.9, 0, 0.1, 0.5, 0.25, 0.25, 0}), 1e-6);
    EXPECT_LE(distance(run.input_gradients[0], std::vector<double>{0, -1, 0, 1, 2, -1, -1, 0}),
              1e-6);
}

// The share of zeros, the scale of the rest, and the same mask in both passes.
TEST(Dropout, KeepsTheExpectation) {
    const LayerDescription& layer = find_layer("Dropout");
    constexpr std::int64_t batch = 64, elements = 500;
    const graph::LayerRunner runner(layer, Config::checked(layer.spec.params, {{"rate", 0.3}}),
                                    {Shape{elements}});
    const std::vector<float> ones(static_cast<std::size_t>(batch * elements), 1.0F);
    ops::StepScalars scalars;
    scalars.seed = 11;
    const graph::LayerRun run = runner.run(batch, {ones}, {}, ones, scalars);
    double zeros = 0;
    for (float y : run.output) {
        EXPECT_TRUE(y == 0.0F || std::abs(y - 1.0F / 0.7F) < 1e-6F) << y;
        zeros += y == 0.0F ? 1 : 0;
    }
    EXPECT_NEAR(zeros / (batch * elements), 0.3, 0.013);  // five deviations
    EXPECT_EQ(run.input_gradients[0], run.output);
    scalars.step = 1;
    EXPECT_NE(runner.run(batch, {ones}, {}, ones, scalars).output, run.output);
    EXPECT_EQ(runner.run(batch, {ones}, {}, {}).output, ones) << "in inference";
}

// The formula of ops/elementwise.h, word by word.
TEST(Dropout, DrawsByGlobalSampleAndElement) {
    const LayerDescription& layer = find_layer("Dropout");
    constexpr std::int64_t batch = 3, elements = 13;
    const graph::LayerRunner runner(
        layer, Config::checked(layer.spec.params, {{"rate", 0.5}, {"seed", 5}}), {Shape{elements}});
    const std::vector<float> ones(static_cast<std::size_t>(batch * elements), 1.0F);
    ops::StepScalars scalars;
    scalars.seed = 0x123456789ABCDEF0;
    scalars.step = 42;
    scalars.first_sample = 1001;
    const auto output = runner.run(batch, {ones}, {}, ones, scalars).output;
    for (std::int64_t e = 0; e < batch * elements; ++e) {
        const auto at = static_cast<std::uint64_t>(scalars.first_sample * elements + e);
        const auto word = random::draw(scalars.seed, 0x80000005U, 42, at / 4)[at % 4];
        EXPECT_EQ(output[static_cast<std::size_t>(e)], random::uniform(word) >= 0.5F ? 2.0F : 0.0F)
            << e;
    }
}

}  // namespace
}  // namespace strata::layers
