// CPU = CUDA for all that the catalogues offer, in every precision: the self-test's cases. Derived:
// what is added to a catalogue is tested here.
#include <gtest/gtest.h>

#include "engine/selftest/cases.h"
#include "tests/engine/backends/cuda/plugin/plugin.h"
#include "tests/engine/backends/cuda/plugin/steps.h"

namespace strata::graph {
namespace {

using selftest::Case;
using testing::expect_same_on_both;
using testing::layer;
using testing::model_of;
using testing::precisions;
using testing::setup_of;

class OnCuda : public ::testing::Test {
protected:
    static void SetUpTestSuite() { test::use_emulated_plugin(); }
};

class EachLayerTrainsOnCuda : public ::testing::TestWithParam<const layers::LayerDescription*> {
protected:
    static void SetUpTestSuite() { test::use_emulated_plugin(); }
};

template <typename Description>
void expect_all_same_on_both(const Description& description) {
    for (const std::string& precision : precisions())
        for (const Case& each : selftest::cases_of(description, precision)) {
            SCOPED_TRACE(each.name + " " + precision);
            expect_same_on_both(each.model, each.setup, each.steps);
        }
}

TEST_P(EachLayerTrainsOnCuda, AsOnCpuInEveryPrecision) {
    expect_all_same_on_both(*GetParam());
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachLayerTrainsOnCuda,
                         ::testing::ValuesIn(selftest::computing_layers()),
                         [](const auto& test) { return test.param->spec.type; });

TEST_F(OnCuda, EachLossAndMetric) {
    for (const losses::LossDescription* loss : losses::catalogue()) {
        SCOPED_TRACE(loss->name);
        expect_all_same_on_both(*loss);
    }
}

TEST_F(OnCuda, EachOptimizerAndClipping) {
    for (const selftest::Recipe& recipe : selftest::recipes()) {
        SCOPED_TRACE(recipe.name);
        expect_all_same_on_both(recipe);
    }
}

// What overflows float16 skips the step on both.
TEST_F(OnCuda, AGradientThatIsNotFiniteSkipsTheStep) {
    TrainingSetup setup = setup_of("Adam");
    setup.precision = "mixed_float16";
    const Model model =
        model_of({layer("input", "InputLayer", {{"shape", {7}}}),
                  layer("hidden", "Dense", {{"units", 9}, {"activation", "silu"}}),
                  layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}})});
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
