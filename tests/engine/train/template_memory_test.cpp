// The planner's numbers for every project that the product brings along, with every technique that
// changes them: what it predicts is what a step then holds, category by category and to the byte.
#include <gtest/gtest.h>

#include "engine/core/random.h"
#include "engine/graph/recomputation.h"
#include "engine/train/evaluation.h"
#include "engine/train/run_config.h"
#include "tests/engine/train/product_projects.h"

namespace strata::train {
namespace {

constexpr std::int64_t batch = 12, last_batch = 5;

enum class Recompute { none, all, by_limit };

struct Case {
    std::string precision;
    std::int64_t window;
    Recompute recompute;
    bool average;

    std::string text() const {
        return precision + ", " + std::to_string(window) + " micro-batches, recomputation " +
               std::to_string(static_cast<int>(recompute)) + (average ? ", average" : "");
    }
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const char* precision : {"float32", "mixed_bfloat16", "mixed_float16"})
        for (const std::int64_t window : {1, 3})
            for (const Recompute recompute : {Recompute::none, Recompute::all, Recompute::by_limit})
                for (const bool average : {false, true})
                    all.push_back({precision, window, recompute, average});
    return all;
}

graph::ExecutorOptions options_for() {
    graph::ExecutorOptions options;
    options.batch = batch;
    options.other_batches = {last_batch};
    options.input_dtype = DType::uint8;
    return options;
}

// The model with the marks of the case; of a limit: the least that any marks reach.
graph::Model model_for(const RunConfig& config, const Case& c, const graph::TrainingSetup& setup) {
    graph::Model model = config.model;
    if (c.recompute == Recompute::all)
        for (graph::LayerNode& node : model.layers) node.recompute = true;
    if (c.recompute == Recompute::by_limit) {
        graph::RecomputationSearch search(config.model, setup, options_for());
        const std::size_t limit = search.best_within(0).bytes;
        graph::fit_by_recomputation(model, setup, options_for(), limit);
        EXPECT_LE(graph::predict_memory(model, &setup, options_for()).total(), limit);
    }
    return model;
}

// Trains a window, with a short last micro-batch, and looks at what a run looks at.
void run_a_step(graph::Executor& executor, std::int64_t window) {
    const std::size_t size =
        executor.plan(graph::Mode::train).program[executor.plan(graph::Mode::train).input].bytes();
    std::vector<std::uint8_t> images(size);
    for (std::size_t i = 0; i < size; ++i)
        images[i] = static_cast<std::uint8_t>(random::draw(1, 2, 3, i)[0]);
    const std::vector<std::int32_t> labels(batch, 3);
    executor.initialize(1);
    std::int64_t samples = 0;
    ops::StepScalars scalars;
    scalars.learning_rate = 1e-3F;
    for (std::int64_t k = 0; k < window; ++k) {
        scalars.first_in_window = k == 0;
        const std::int64_t n = k + 1 == window && window > 1 ? last_batch : batch;
        executor.accumulate(images.data(), labels.data(), n, scalars);
        samples += n;
    }
    EXPECT_TRUE(executor.update(samples, scalars).applied);
    executor.evaluate(images.data(), labels.data(), batch);
    executor.evaluate(images.data(), labels.data(), last_batch);
    executor.probe(images.data(), batch);
    executor.gradient_norms(1.0);
}

class TemplateMemory : public ::testing::TestWithParam<std::string> {};

TEST_P(TemplateMemory, IsWhatThePlannerSays) {
    const RunConfig config = testing::product_projects().at(GetParam());
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.text());
        TrainingConfig training = config.training;
        training.precision = c.precision;
        training.gradient_accumulation_steps = c.window;
        training.batch_statistics = BatchStatistics::deferred;
        training.ema.enabled = c.average;
        const graph::TrainingSetup setup = make_setup(training);
        const graph::Model model = model_for(config, c, setup);
        graph::ExecutorOptions options = options_for();
        const device::MemoryBudget predicted = graph::predict_memory(model, &setup, options);
        // The device refuses every byte beyond the prediction, at the start and in the step.
        options.device_options.memory_limit = predicted.total();
        graph::Executor executor(model, &setup, options);
        run_a_step(executor, c.window);
        for (std::size_t i = 0; i < device::category_count; ++i)
            EXPECT_EQ(executor.memory().bytes[i], predicted.bytes[i])
                << device::name_of(static_cast<device::Category>(i));
        options.device_options.memory_limit = predicted.total() - 1;
        EXPECT_THROW(graph::Executor(model, &setup, options), Error);
    }
}

INSTANTIATE_TEST_SUITE_P(Projects, TemplateMemory,
                         ::testing::ValuesIn(testing::product_project_names()), testing::test_name);

}  // namespace
}  // namespace strata::train
