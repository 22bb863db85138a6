// What follows for every example of the catalogue: the shape that it infers is the real one,
// gradients agree with finite differences, and a batch equals its micro-batches.
#include <gtest/gtest.h>

#include "engine/graph/layer_runner.h"
#include "engine/layers/catalogue.h"
#include "tests/engine/core/reference.h"

namespace strata::layers {
namespace {

using Values = std::vector<float>;

// One example with inputs, weights and an upstream gradient, the same in every run.
struct Trial {
    const LayerDescription* layer;
    graph::LayerRunner runner;
    std::int64_t batch;
    std::vector<Values> inputs;
    std::map<std::string, Values> variables;
    Values dy;

    Trial(const LayerDescription& description, const LayerExample& example, std::int64_t n)
        : layer(&description),
          runner(description, Config::checked(description.spec.params, example.config),
                 example.inputs),
          batch(n) {
        std::uint64_t seed = 1;
        for (const Shape& shape : example.inputs)
            inputs.push_back(testing::random_values(n * shape.elements(), seed++));
        for (const VariableSpec& spec : runner.inference().variables) {
            const bool positive = spec.role == "moving_variance" || spec.role == "gamma";
            variables[spec.role] = testing::random_values(spec.shape.elements(), seed++,
                                                          positive ? 0.5F : -0.8F, 1.2F);
        }
        dy = testing::random_values(n * runner.inference().output.elements(), seed);
    }

    graph::LayerRun run() const { return runner.run(batch, inputs, variables, dy, scalars()); }

    static ops::StepScalars scalars(std::int64_t first_sample = 0) {
        ops::StepScalars all;
        all.seed = 5;
        all.step = 3;
        all.first_sample = first_sample;
        return all;
    }

    // sum(dy * y) in float64.
    double value() const {
        const Values y = run().output;
        double sum = 0;
        for (std::size_t i = 0; i < y.size(); ++i)
            sum += static_cast<double>(y[i]) * static_cast<double>(dy[i]);
        return sum;
    }
};

std::vector<const LayerDescription*> computing_layers() {
    std::vector<const LayerDescription*> layers;
    for (const LayerDescription* layer : catalogue())
        if (layer->spec.type != "InputLayer") layers.push_back(layer);
    return layers;
}

class EachComputingLayer : public ::testing::TestWithParam<const LayerDescription*> {
protected:
    template <typename Check>
    void for_each_example(Check check) const {
        for (const LayerExample& example : GetParam()->examples) {
            SCOPED_TRACE(example.name);
            check(example);
        }
    }
};

TEST_P(EachComputingLayer, GivesTheShapeThatItInfers) {
    for_each_example([&](const LayerExample& example) {
        for (const bool training : {true, false}) {
            Trial trial(*GetParam(), example, 3);
            if (!training) trial.dy.clear();
            const graph::LayerRun run = trial.run();
            EXPECT_EQ(run.output_shape, trial.runner.inference().output.with_batch(3));
            for (float y : run.output) EXPECT_TRUE(std::isfinite(y));
            if (!training) continue;
            for (std::size_t i = 0; i < trial.inputs.size(); ++i)
                EXPECT_EQ(run.input_gradients.at(i).size(), trial.inputs[i].size());
        }
    });
}

// Central differences of the float32 output with steps h and 2h: the rounding error is about 6e-8
// |y| / h = 6e-6 a value, the truncation error h^2 f''' / 6 = 2e-5 f'''. Where the two steps
// disagree there is a kink (relu, pooling) between them, and the value is left out.
struct Difference {
    double slope = 0;
    bool kink = false;
};

Difference difference(const Trial& trial, float& place) {
    constexpr float h = 0.01F;
    const float middle = place;
    const auto at = [&](float offset) {
        place = middle + offset;
        const double value = trial.value();
        place = middle;
        return value;
    };
    const auto width = [&](float step) {
        return static_cast<double>(middle + step) - static_cast<double>(middle - step);
    };
    const double near = (at(h) - at(-h)) / width(h);
    const double far = (at(2 * h) - at(-2 * h)) / width(2 * h);
    return {near, std::abs(near - far) > 3e-3 * std::max(1.0, std::abs(near))};
}

void check_gradient(Trial& trial, Values& values, const Values& gradient, const std::string& name) {
    ASSERT_EQ(values.size(), gradient.size()) << name;
    double scale = 1.0;
    for (float g : gradient) scale = std::max(scale, static_cast<double>(std::abs(g)));
    const std::size_t stride = std::max<std::size_t>(1, values.size() / 6);
    int checked = 0, kinks = 0;
    for (std::size_t i = 0; i < values.size(); i += stride) {
        const Difference expected = difference(trial, values[i]);
        ++checked;
        kinks += expected.kink ? 1 : 0;
        if (expected.kink) continue;
        EXPECT_NEAR(static_cast<double>(gradient[i]), expected.slope, 2e-3 * scale)
            << name << "[" << i << "]";
    }
    EXPECT_LE(kinks, checked / 2) << name << ": hardly a value could be compared";
}

TEST_P(EachComputingLayer, GradientsAreTheSlopes) {
    for_each_example([&](const LayerExample& example) {
        Trial trial(*GetParam(), example, 2);
        const graph::LayerRun run = trial.run();
        for (std::size_t i = 0; i < trial.inputs.size(); ++i)
            check_gradient(trial, trial.inputs[i], run.input_gradients.at(i),
                           "input " + std::to_string(i));
        for (const VariableSpec& spec : trial.runner.inference().variables)
            if (spec.trainable)
                check_gradient(trial, trial.variables[spec.role],
                               run.variable_gradients.at(spec.role), spec.role);
    });
}

Values part(const Values& all, std::int64_t batch, std::int64_t first, std::int64_t count) {
    const auto sample = static_cast<std::ptrdiff_t>(all.size()) / batch;
    return {all.begin() + first * sample, all.begin() + (first + count) * sample};
}

void append(Values& to, const Values& more) {
    to.insert(to.end(), more.begin(), more.end());
}

// 7 samples at once against 3 and 4: concatenated outputs and input gradients, summed weight
// gradients. In training BatchNormalization takes its statistics from the batch that it sees
// (SEMANTICS "Model and pipeline parallelism"), so for it this holds in inference.
TEST_P(EachComputingLayer, MicroBatchesMakeTheBatch) {
    for_each_example([&](const LayerExample& example) {
        Trial trial(*GetParam(), example, 7);
        if (GetParam()->spec.type == "BatchNormalization") trial.dy.clear();
        const graph::LayerRun whole = trial.run();
        graph::LayerRun sum;
        sum.input_gradients.resize(trial.inputs.size());
        for (const auto& [first, count] : {std::pair<std::int64_t, std::int64_t>{0, 3}, {3, 4}}) {
            std::vector<Values> inputs;
            for (const Values& input : trial.inputs) inputs.push_back(part(input, 7, first, count));
            const graph::LayerRun run =
                trial.runner.run(count, inputs, trial.variables,
                                 trial.dy.empty() ? Values() : part(trial.dy, 7, first, count),
                                 Trial::scalars(first));
            append(sum.output, run.output);
            for (std::size_t i = 0; i < run.input_gradients.size(); ++i)
                append(sum.input_gradients[i], run.input_gradients[i]);
            for (const auto& [role, gradient] : run.variable_gradients) {
                Values& total = sum.variable_gradients[role];
                total.resize(gradient.size(), 0.0F);
                for (std::size_t e = 0; e < total.size(); ++e) total[e] += gradient[e];
            }
        }
        EXPECT_LE(testing::distance(sum.output, whole.output), 1e-6);
        for (std::size_t i = 0; i < whole.input_gradients.size(); ++i)
            EXPECT_LE(testing::distance(sum.input_gradients[i], whole.input_gradients[i]), 1e-6);
        for (const auto& [role, gradient] : whole.variable_gradients)
            EXPECT_LE(testing::distance(sum.variable_gradients[role], gradient), 5e-6) << role;
    });
}

// Inference and training give the same output, but for the layers whose point is that they do not.
class EachLayerOfOneForwardPass : public EachComputingLayer {};

TEST_P(EachLayerOfOneForwardPass, InferenceIsTheForwardPassOfTraining) {
    for_each_example([&](const LayerExample& example) {
        Trial trial(*GetParam(), example, 3);
        const Values training = trial.run().output;
        trial.dy.clear();
        EXPECT_LE(testing::distance(trial.run().output, training), 1e-6);
    });
}

std::vector<const LayerDescription*> layers_of_one_forward_pass() {
    std::vector<const LayerDescription*> layers = computing_layers();
    std::erase_if(layers, [](const LayerDescription* layer) {
        return layer->spec.type == "BatchNormalization" || layer->spec.type == "Dropout" ||
               layer->spec.type.starts_with("Random");
    });
    return layers;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachLayerOfOneForwardPass,
                         ::testing::ValuesIn(layers_of_one_forward_pass()),
                         [](const auto& use) { return use.param->spec.type; });
INSTANTIATE_TEST_SUITE_P(Catalogue, EachComputingLayer, ::testing::ValuesIn(computing_layers()),
                         [](const auto& use) { return use.param->spec.type; });

}  // namespace
}  // namespace strata::layers
