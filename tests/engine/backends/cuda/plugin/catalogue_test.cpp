// CPU = CUDA for all that the catalogues offer, in every precision: each layer example between
// layers with weights, each loss, metric and optimizer, each way to clip. Derived: what is added to
// a catalogue is tested here.
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/layers/catalogue.h"
#include "tests/engine/backends/cuda/plugin/plugin.h"
#include "tests/engine/backends/cuda/plugin/steps.h"
#include "tests/engine/graph/example_model.h"

namespace strata::graph {
namespace {

using layers::LayerDescription;
using layers::LayerExample;
using testing::expect_same_on_both;
using testing::layer;
using testing::model_of;
using testing::precisions;
using testing::setup_of;
using testing::Steps;

class OnCuda : public ::testing::Test {
protected:
    static void SetUpTestSuite() { test::use_emulated_plugin(); }
};

class EachLayerTrainsOnCuda : public ::testing::TestWithParam<const LayerDescription*> {
protected:
    static void SetUpTestSuite() { test::use_emulated_plugin(); }
};

TEST_P(EachLayerTrainsOnCuda, AsOnCpuInEveryPrecision) {
    for (const LayerExample& example : GetParam()->examples)
        for (const std::string& precision : precisions()) {
            SCOPED_TRACE(example.name + " " + precision);
            TrainingSetup setup = setup_of("SGD", {{"momentum", 0.9}});
            setup.precision = precision;
            expect_same_on_both(testing::model_around(*GetParam(), example), setup);
        }
}

std::vector<const LayerDescription*> computing_layers() {
    std::vector<const LayerDescription*> all;
    for (const LayerDescription* type : layers::catalogue())
        if (type->spec.max_inputs != 0) all.push_back(type);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachLayerTrainsOnCuda, ::testing::ValuesIn(computing_layers()),
                         [](const auto& test) { return test.param->spec.type; });

Model small(const std::string& activation) {
    return model_of({layer("input", "InputLayer", {{"shape", {7}}}),
                     layer("hidden", "Dense", {{"units", 9}, {"activation", "silu"}}),
                     layer("output", "Dense", {{"units", 4}, {"activation", activation}})});
}

// With the loss's own activation, which is fused into it, and with others, which are not; with each
// metric that has a meaning for it.
TEST_F(OnCuda, EachLossAndMetric) {
    for (const losses::LossDescription* loss : losses::catalogue())
        for (const char* activation : {"softmax", "sigmoid", "softplus", "linear"})
            for (const std::string& precision : precisions()) {
                if (std::string(activation) == "linear" && loss->name != "mean_squared_error")
                    continue;  // no probabilities
                SCOPED_TRACE(loss->name + " " + activation + " " + precision);
                TrainingSetup setup = setup_of("SGD", Json::object(), loss->name, {});
                setup.precision = precision;
                for (const metrics::MetricDescription* metric : metrics::catalogue()) {
                    try {
                        for (const bool on_logits : {false, true})
                            metric->op(loss->name, Shape{4}, on_logits);
                        setup.metrics.push_back(metric);
                    } catch (const Error&) {
                        continue;
                    }
                }
                expect_same_on_both(small(activation), setup);
            }
}

struct Recipe {
    std::string optimizer;
    Json config;
};

// SGD with and without momentum, and with the defaults of every optimizer that there is.
std::vector<Recipe> recipes() {
    std::vector<Recipe> all{{"SGD", {{"momentum", 0.9}}},
                            {"SGD", {{"momentum", 0.9}, {"nesterov", true}}}};
    for (const optimizers::OptimizerDescription* type : optimizers::catalogue())
        all.push_back({type->type, Json::object()});
    return all;
}

// Three steps each: with no clipping, limits that are met and are not, weight decay and an average.
TEST_F(OnCuda, EachOptimizerAndClipping) {
    using ops::ClipKind;
    for (const Recipe& recipe : recipes())
        for (const std::string& precision : precisions())
            for (const float limit : {0.0F, 0.02F, 50.0F})
                for (const int clip : {0, 1, 2}) {
                    if (limit == 0.0F && clip > 0) continue;
                    SCOPED_TRACE(recipe.optimizer + recipe.config.dump() + " " + precision +
                                 " limit " + std::to_string(limit) + " kind " +
                                 std::to_string(clip));
                    TrainingSetup setup = setup_of(recipe.optimizer, recipe.config);
                    setup.precision = precision;
                    setup.clip = clip == 0 ? ClipKind::none
                                           : (clip == 1 ? ClipKind::value : ClipKind::global_norm);
                    setup.clip_by_variable = clip == 0 && limit > 0.0F;
                    if (limit > 1.0F) setup.ema_momentum = 0.9F;
                    expect_same_on_both(small("softmax"), setup,
                                        {.count = 3, .clip_limit = limit, .weight_decay = 0.1F});
                }
}

// What overflows float16 skips the step on both.
TEST_F(OnCuda, AGradientThatIsNotFiniteSkipsTheStep) {
    TrainingSetup setup = setup_of("Adam");
    setup.precision = "mixed_float16";
    const Model model = small("softmax");
    for (const char* device : {"cpu:0", "cuda:0"}) {
        SCOPED_TRACE(device);
        ExecutorOptions options = testing::options_of(5);
        options.device = device;
        Executor executor(model, &setup, options);
        executor.initialize(3);
        const std::vector<HostTensor> before = executor.snapshot(true);
        const testing::Problem problem = testing::problem_for(model, 5);
        ops::StepScalars scalars = testing::scalars_of(0.1F);
        scalars.loss_scale = 0x1p40F;
        const BatchResult result =
            executor.train_step(problem.inputs.data(), problem.labels.data(), 5, scalars);
        EXPECT_FALSE(result.applied);
        const std::vector<HostTensor> after = executor.snapshot(true);
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_EQ(after[i].values, before[i].values);
    }
}

}  // namespace
}  // namespace strata::graph
