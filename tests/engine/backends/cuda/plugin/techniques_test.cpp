// Training techniques on the emulated plug-in as on the CPU: accumulation, recomputation, deferred
// statistics, checkpoints of the state, averages, precision of single layers.
#include <gtest/gtest.h>

#include "tests/engine/backends/cuda/plugin/plugin.h"
#include "tests/engine/backends/cuda/plugin/steps.h"

namespace strata::graph {
namespace {

using testing::batchless;
using testing::branches;
using testing::precisions;
using testing::Problem;
using testing::scalars_of;
using testing::setup_of;

class TechniquesOnCuda : public ::testing::TestWithParam<std::string> {
protected:
    static void SetUpTestSuite() { test::use_emulated_plugin(); }

    static TrainingSetup setup(const std::string& optimizer = "SGD") {
        TrainingSetup made = setup_of(optimizer);
        made.precision = GetParam();
        return made;
    }
    static ExecutorOptions options(const std::string& device, std::int64_t batch,
                                   std::vector<std::int64_t> others = {}) {
        ExecutorOptions made = testing::options_of(batch);
        made.device = device;
        made.other_batches = std::move(others);
        return made;
    }
    static ops::StepScalars scalars(std::int64_t update) {
        ops::StepScalars made = scalars_of(0.05F, update);
        if (GetParam() == "mixed_float16") made.loss_scale = 256.0F;
        return made;
    }
    // Updates of windows of micro-batches.
    static std::vector<HostTensor> trained(Executor& executor,
                                           const std::vector<std::int64_t>& parts, int updates,
                                           std::int64_t first_update = 1) {
        std::int64_t all = 0;
        for (const std::int64_t n : parts) all += n;
        const Problem problem = testing::problem_for(executor.model(), all);
        const auto values = std::ssize(problem.inputs) / all;
        for (std::int64_t update = first_update; update < first_update + updates; ++update) {
            ops::StepScalars s = scalars(update);
            std::int64_t done = 0;
            for (const std::int64_t n : parts) {
                s.first_in_window = done == 0;
                s.first_sample = s.samples_before = done;
                executor.accumulate(problem.inputs.data() + done * values,
                                    problem.labels.data() + done, n, s);
                done += n;
            }
            EXPECT_TRUE(executor.update(all, s).applied);
        }
        return executor.snapshot(true);
    }
    static double tolerance() { return testing::tolerance_of(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Precisions, TechniquesOnCuda, ::testing::ValuesIn(precisions()),
                         [](const auto& test) { return test.param; });

TEST_P(TechniquesOnCuda, MicroBatchesAreOneBatch) {
    TrainingSetup s = setup();
    Executor whole(batchless(), &s, options("cpu:0", 10));
    s.accumulates = true;
    Executor parts(batchless(), &s, options("cuda:0", 4, {2}));
    whole.initialize(3);
    parts.initialize(3);
    testing::expect_near(trained(parts, {4, 4, 2}, 2), trained(whole, {10}, 2), tolerance());
}

TEST_P(TechniquesOnCuda, DeferredStatisticsFollowTheWindow) {
    TrainingSetup s = setup();
    s.accumulates = s.deferred_statistics = true;
    Executor cpu(branches(), &s, options("cpu:0", 4, {2}));
    Executor cuda(branches(), &s, options("cuda:0", 4, {2}));
    cpu.initialize(3);
    cuda.initialize(3);
    testing::expect_near(trained(cuda, {4, 2}, 2), trained(cpu, {4, 2}, 2), tolerance());
}

TEST_P(TechniquesOnCuda, RecomputationGivesTheSameBits) {
    TrainingSetup s = setup("Adam");
    s.accumulates = true;
    Model marked = branches();
    for (LayerNode& node : marked.layers) node.recompute = true;
    Executor plain(branches(), &s, options("cuda:0", 4));
    Executor again(marked, &s, options("cuda:0", 4));
    plain.initialize(5);
    again.initialize(5);
    const std::vector<HostTensor> want = trained(plain, {4, 4}, 2);
    const std::vector<HostTensor> got = trained(again, {4, 4}, 2);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(got[i].values, want[i].values);
}

// 2 + 2 updates with the state carried to a new executor are 4 in one, bit for bit: no kernel's sum
// depends on timing. From the GPU to the CPU they are near.
TEST_P(TechniquesOnCuda, AStateGoesOnElsewhere) {
    TrainingSetup s = setup("Adam");
    s.ema_momentum = 0.9F;
    Executor one(branches(), &s, options("cuda:0", 4));
    one.initialize(7);
    const std::vector<HostTensor> half = trained(one, {4}, 2);
    const std::vector<HostTensor> want = trained(one, {4}, 2, 3);
    Executor resumed(branches(), &s, options("cuda:0", 4));
    resumed.restore(half);
    const std::vector<HostTensor> got = trained(resumed, {4}, 2, 3);
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_EQ(got[i].values, want[i].values);
    s = setup("SGD");
    Executor gpu(branches(), &s, options("cuda:0", 4));
    gpu.initialize(7);
    const std::vector<HostTensor> state = trained(gpu, {4}, 2);
    Executor cpu(branches(), &s, options("cpu:0", 4));
    cpu.restore(state);
    testing::expect_near(trained(cpu, {4}, 1, 3), trained(gpu, {4}, 1, 3), tolerance());
}

TEST_P(TechniquesOnCuda, TheAverageIsSwappedForAValidation) {
    TrainingSetup s = setup();
    s.ema_momentum = 0.75F;
    std::vector<std::vector<HostTensor>> averages;
    for (const char* device : {"cpu:0", "cuda:0"}) {
        Executor executor(batchless(), &s, options(device, 5));
        executor.initialize(4);
        const std::vector<HostTensor> weights = trained(executor, {5}, 3);
        executor.swap_average();
        averages.push_back(executor.snapshot(false));
        executor.swap_average();
        const std::vector<HostTensor> back = executor.snapshot(true);
        for (std::size_t i = 0; i < weights.size(); ++i)
            EXPECT_EQ(back[i].values, weights[i].values);
    }
    testing::expect_near(averages[1], averages[0], tolerance());
}

TEST_P(TechniquesOnCuda, ALayerOfItsOwnPrecision) {
    Model model = batchless();
    model.layers[static_cast<std::size_t>(model.index_of("left"))].precision = "float32";
    model.layers[static_cast<std::size_t>(model.index_of("hidden"))].precision = "mixed_bfloat16";
    TrainingSetup s = setup();
    const testing::History cpu = testing::history_on("cpu:0", model, s, {});
    const testing::History cuda = testing::history_on("cuda:0", model, s, {});
    testing::expect_near(cuda.state, cpu.state, testing::tolerance_of("mixed_bfloat16"));
}

}  // namespace
}  // namespace strata::graph
