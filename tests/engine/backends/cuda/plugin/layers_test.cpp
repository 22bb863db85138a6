// CPU = CUDA for every example of the layer catalogue, both passes: derived, so that a new layer is
// covered by its examples. The CUDA side is the emulated plug-in, loaded as the product's is.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/random.h"
#include "engine/graph/layer_runner.h"
#include "engine/graph/runtime.h"
#include "engine/layers/catalogue.h"
#include "tests/engine/backends/cuda/plugin/plugin.h"

namespace strata::graph {
namespace {

constexpr double tolerance = 5e-5;  // times 1 + |value|: sums of a few hundred products in float32

std::vector<float> random_floats(std::int64_t count, std::uint32_t stream, float low, float high) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto words = random::draw(5, stream, 0, static_cast<std::uint64_t>(i));
        values.push_back(low + (high - low) * random::uniform(words[0]));
    }
    return values;
}

void expect_near(const std::vector<float>& cuda, const std::vector<float>& cpu,
                 const std::string& what) {
    ASSERT_EQ(cuda.size(), cpu.size()) << what;
    for (std::size_t i = 0; i < cpu.size(); ++i) {
        if (std::isnan(cpu[i]) && std::isnan(cuda[i])) continue;
        ASSERT_LE(std::fabs(double{cuda[i]} - cpu[i]), tolerance * (1.0 + std::fabs(cpu[i])))
            << what << "[" << i << "]";
    }
}

struct Problem {
    std::vector<std::vector<float>> inputs;
    std::map<std::string, std::vector<float>> variables;
    std::vector<float> dy;
};

Problem make_problem(const layers::Inference& inference, const std::vector<Shape>& inputs,
                     std::int64_t batch) {
    Problem p;
    std::uint32_t stream = 1;
    for (const Shape& shape : inputs)
        p.inputs.push_back(random_floats(batch * shape.elements(), stream++, -1.0F, 1.0F));
    for (const layers::VariableSpec& spec : inference.variables) {
        const bool positive = spec.role == "moving_variance" || spec.role == "gamma";
        p.variables[spec.role] =
            random_floats(spec.shape.elements(), stream++, positive ? 0.5F : -0.5F, 1.0F);
    }
    p.dy = random_floats(batch * inference.output.elements(), stream, -1.0F, 1.0F);
    return p;
}

class EachLayerOnCuda : public ::testing::TestWithParam<const layers::LayerDescription*> {
protected:
    static void SetUpTestSuite() { test::use_emulated_plugin(); }
};

TEST_P(EachLayerOnCuda, IsAsOnCpu) {
    const layers::LayerDescription& type = *GetParam();
    constexpr std::int64_t batch = 3;
    ops::StepScalars scalars;
    scalars.seed = 9;
    scalars.step = 4;
    scalars.first_sample = 5;
    for (const layers::LayerExample& example : type.examples) {
        SCOPED_TRACE(example.name);
        const layers::Config config = layers::Config::checked(type.spec.params, example.config);
        const LayerRunner runner(type, config, example.inputs);
        const Problem p = make_problem(runner.inference(), example.inputs, batch);
        for (bool training : {false, true}) {
            const std::vector<float> dy = training ? p.dy : std::vector<float>{};
            const LayerRun cpu = runner.run(batch, p.inputs, p.variables, dy, scalars, "cpu:0");
            const LayerRun cuda = runner.run(batch, p.inputs, p.variables, dy, scalars, "cuda:0");
            EXPECT_EQ(cuda.output_shape, cpu.output_shape);
            expect_near(cuda.output, cpu.output, "output");
            ASSERT_EQ(cuda.input_gradients.size(), cpu.input_gradients.size());
            for (std::size_t i = 0; i < cpu.input_gradients.size(); ++i)
                expect_near(cuda.input_gradients[i], cpu.input_gradients[i], "input gradient");
            for (const auto& [role, values] : cpu.variable_gradients)
                expect_near(cuda.variable_gradients.at(role), values, role + " gradient");
            for (const auto& [role, values] : cpu.variables)
                expect_near(cuda.variables.at(role), values, role);
        }
    }
}

std::vector<const layers::LayerDescription*> computing_layers() {
    std::vector<const layers::LayerDescription*> all;
    for (const layers::LayerDescription* type : layers::catalogue())
        if (type->spec.max_inputs != 0) all.push_back(type);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachLayerOnCuda, ::testing::ValuesIn(computing_layers()),
                         [](const auto& test) { return test.param->spec.type; });

}  // namespace
}  // namespace strata::graph
