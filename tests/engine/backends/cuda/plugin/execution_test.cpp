// How a training step is put on the GPU: launches, waits and allocations as the emulator counts
// them, the same results with graphs and without, and faults that are told with layer and op.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include "engine/core/error.h"
#include "engine/graph/executor.h"
#include "engine/graph/runtime.h"
#include "tests/engine/backends/cuda/plugin/counts.h"
#include "tests/engine/backends/cuda/plugin/plugin.h"
#include "tests/engine/backends/cuda/plugin/steps.h"
#include "tests/engine/core/error_of.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

using cuda_emulator::Counts;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using test::operator-;
using strata::testing::error_of;
using test::emulated_counts;
using test::Setting;
using testing::layer;
using testing::setup_of;

Model deep() {
    const Json convolution{{"filters", 4}, {"kernel_size", 3}, {"padding", "same"}};
    return testing::model_of(
        {layer("input", "InputLayer", {{"shape", {8, 8, 1}}}), layer("rescaling", "Rescaling"),
         layer("conv_1", "Conv2D", convolution), layer("norm_1", "BatchNormalization"),
         layer("relu_1", "Activation", {{"activation", "relu"}}),
         layer("conv_2", "Conv2D", convolution), layer("norm_2", "BatchNormalization"),
         layer("relu_2", "Activation", {{"activation", "relu"}}),
         layer("conv_3", "Conv2D", convolution), layer("norm_3", "BatchNormalization"),
         layer("relu_3", "Activation", {{"activation", "relu"}}),
         layer("mean", "GlobalAveragePooling2D"), layer("dropout", "Dropout", {{"rate", 0.25}}),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
}

constexpr std::int64_t batch = 4;

class ExecutionOnCuda : public ::testing::Test {
protected:
    void SetUp() override {
        test::use_emulated_plugin();
        ASSERT_NO_THROW(runtime().open("cuda:0", {}));
    }
    static std::unique_ptr<Executor> executor_of(const Model& model, const TrainingSetup& setup,
                                                 std::int64_t samples = batch) {
        ExecutorOptions options = testing::options_of(samples);
        options.device = "cuda:0";
        auto executor = std::make_unique<Executor>(model, &setup, options);
        executor->initialize(3);
        return executor;
    }
    static ops::StepScalars scalars_at(int step) {
        ops::StepScalars scalars = testing::scalars_of(0.01F, step + 1);
        scalars.seed = 11;
        scalars.step = static_cast<std::uint32_t>(step);
        scalars.first_sample = step * batch;
        scalars.last_in_window = true;
        return scalars;
    }
    // What a step costs that has been there three times.
    struct Cost {
        Counts queued, read;
    };
    static Cost cost_of(const char* name, const Model& model) {
        const TrainingSetup setup = setup_of("Adam");
        const auto executor = executor_of(model, setup);
        const testing::Problem data = testing::problem_for(model, batch);
        Cost cost;
        for (int step = 0; step < 4; ++step) {
            const Counts before = emulated_counts();
            executor->keep_statistics();
            const bool staged = step > 0;
            executor->accumulate(staged ? nullptr : data.inputs.data(),
                                 staged ? nullptr : data.labels.data(), batch, scalars_at(step));
            executor->begin_update(batch, scalars_at(step));
            executor->stage(data.inputs.data(), data.labels.data(), batch);
            const Counts queued = emulated_counts();
            EXPECT_TRUE(executor->finish_update().applied);
            cost = {queued - before, emulated_counts() - queued};
        }
        std::printf(
            "%-8s %4llu launches %2llu graphs %4llu kernels %2llu copies %llu+%llu waits "
            "%llu allocations\n",
            name, static_cast<unsigned long long>(cost.queued.launches),
            static_cast<unsigned long long>(cost.queued.graph_launches),
            static_cast<unsigned long long>(cost.queued.kernels + cost.read.kernels),
            static_cast<unsigned long long>(cost.queued.copies),
            static_cast<unsigned long long>(cost.queued.waits),
            static_cast<unsigned long long>(cost.read.waits),
            static_cast<unsigned long long>(cost.queued.allocations));
        return cost;
    }
    static void expect_queued(const Cost& cost) {
        EXPECT_EQ(cost.queued.waits, 0U);
        EXPECT_EQ(cost.queued.allocations + cost.read.allocations, 0U);
        EXPECT_EQ(cost.read.waits, 1U) << "for the figures of the update";
    }
};

TEST_F(ExecutionOnCuda, AStepIsTwoGraphsAndNobodyWaits) {
    const Setting on("STRATA_CUDA_GRAPHS", "1");
    for (const auto& [name, model] :
         {std::pair{"classic", testing::classic()}, {"cnn", testing::cnn()}, {"deep", deep()}}) {
        SCOPED_TRACE(name);
        const Cost cost = cost_of(name, model);
        expect_queued(cost);
        EXPECT_EQ(cost.queued.graph_launches, 2U) << "forward and backward, update";
        EXPECT_EQ(cost.queued.launches, 2U) << "the numbers of each of them";
        EXPECT_GT(cost.read.kernels, 10U);
    }
}

TEST_F(ExecutionOnCuda, WithoutGraphsEachOpIsLaunchedAndNobodyWaits) {
    const Setting off("STRATA_CUDA_GRAPHS", "0");
    for (const auto& [name, model] :
         {std::pair{"classic", testing::classic()}, {"cnn", testing::cnn()}, {"deep", deep()}}) {
        SCOPED_TRACE(name);
        const Cost cost = cost_of(name, model);
        expect_queued(cost);
        EXPECT_EQ(cost.queued.graph_launches, 0U);
        EXPECT_EQ(cost.queued.launches, cost.queued.kernels + cost.read.kernels);
    }
}

TEST_F(ExecutionOnCuda, AWindowOfTwoBatchesIsThreeGraphs) {
    const Setting on("STRATA_CUDA_GRAPHS", "1");
    TrainingSetup setup = setup_of("SGD", {{"momentum", 0.9}});
    setup.accumulates = true;
    const Model model = deep();
    const auto executor = executor_of(model, setup);
    const testing::Problem data = testing::problem_for(model, batch);
    for (int step = 0; step < 3; ++step) {
        const Counts before = emulated_counts();
        for (int k = 0; k < 2; ++k) {
            ops::StepScalars scalars = scalars_at(step);
            scalars.first_in_window = k == 0;
            executor->accumulate(data.inputs.data(), data.labels.data(), batch, scalars);
        }
        executor->begin_update(2 * batch, scalars_at(step));
        const Counts cost = emulated_counts() - before;
        EXPECT_EQ(cost.waits, 0U);
        if (step == 2) {
            EXPECT_EQ(cost.graph_launches, 3U);
            EXPECT_EQ(cost.allocations, 0U);
        }
        EXPECT_TRUE(executor->finish_update().applied);
    }
}

// Everything that changes from step to step changes here: masks, rates, t, windows, a loss scale.
struct Outcome {
    std::vector<UpdateResult> results;
    std::vector<HostTensor> state;
};

Outcome run_of(Executor& executor, const Model& model, bool stages) {
    const testing::Problem data = testing::problem_for(model, batch);
    Outcome run;
    bool staged = false;
    for (int step = 0; step < 6; ++step) {
        ops::StepScalars scalars = testing::scalars_of(0.01F / static_cast<float>(step + 1));
        scalars.seed = 5;
        scalars.update = step + 1;
        scalars.clip_limit = step % 2 == 0 ? 0.5F : 0.0F;
        scalars.weight_decay = 0.01F * static_cast<float>(step);
        scalars.loss_scale = step < 3 ? 1.0F : 64.0F;
        scalars.step = static_cast<std::uint32_t>(step);
        for (int k = 0; k <= step % 3; ++k) {
            scalars.first_in_window = k == 0;
            scalars.first_sample = 100 * step + 7 * k;
            scalars.sample_stride = step == 4 ? 3 : 1;
            executor.accumulate(staged ? nullptr : data.inputs.data(),
                                staged ? nullptr : data.labels.data(), batch, scalars);
            staged = false;
        }
        executor.begin_update(batch * (1 + step % 3), scalars);
        if (stages) executor.stage(data.inputs.data(), data.labels.data(), batch);
        staged = stages;
        run.results.push_back(executor.finish_update());
        // Another pass while the next batch waits.
        if (step == 2) executor.evaluate(data.inputs.data(), data.labels.data(), batch);
        if (step == 3) executor.probe(data.inputs.data(), batch);
    }
    run.state = executor.snapshot(true);
    return run;
}

TEST_F(ExecutionOnCuda, GraphsAndStagedBatchesChangeNoBit) {
    TrainingSetup setup = setup_of("Adam");
    setup.accumulates = true;
    setup.clip = ops::ClipKind::global_norm;
    setup.ema_momentum = 0.9F;
    setup.deferred_statistics = true;
    std::optional<Outcome> expected;
    for (const bool graphs : {false, true})
        for (const bool stages : {false, true}) {
            const Setting setting("STRATA_CUDA_GRAPHS", graphs ? "1" : "0");
            const auto executor = executor_of(deep(), setup);
            const Outcome run = run_of(*executor, deep(), stages);
            if (!expected) {
                expected = run;
                continue;
            }
            for (std::size_t i = 0; i < run.results.size(); ++i) {
                EXPECT_EQ(run.results[i].loss_sum, expected->results[i].loss_sum) << i;
                EXPECT_EQ(run.results[i].gradient_norm, expected->results[i].gradient_norm) << i;
            }
            for (std::size_t k = 0; k < run.state.size(); ++k)
                EXPECT_EQ(run.state[k].values, expected->state[k].values)
                    << run.state[k].layer << "/" << run.state[k].role << " graphs " << graphs
                    << " stages " << stages;
        }
}

TEST_F(ExecutionOnCuda, AStagedBatchOutlivesABatchThatNobodyForesaw) {
    const TrainingSetup setup = setup_of("SGD");
    const Model model = testing::classic();
    const testing::Problem data = testing::problem_for(model, batch);
    std::vector<double> losses;
    for (const bool stages : {false, true}) {
        const auto executor = executor_of(model, setup);
        std::vector<float> outputs(batch * 10);
        if (stages) executor->stage(data.inputs.data(), data.labels.data(), batch);
        executor->predict(data.inputs.data(), batch, outputs.data());
        executor->accumulate(stages ? nullptr : data.inputs.data(),
                             stages ? nullptr : data.labels.data(), batch, scalars_at(0));
        losses.push_back(executor->update(batch, scalars_at(0)).loss_sum);
    }
    EXPECT_EQ(losses[0], losses[1]);
    const auto executor = executor_of(model, setup);
    EXPECT_EQ(
        error_of([&] { executor->accumulate(nullptr, nullptr, batch, scalars_at(0)); }).code(),
        ErrorCode::internal);
}

// The gradient of an infinite loss may be finite.
TEST_F(ExecutionOnCuda, AnInfiniteLossChangesNothing) {
    const Model model = testing::model_of(
        {layer("input", "InputLayer", {{"shape", {2}}}), layer("output", "Dense", {{"units", 1}})});
    const TrainingSetup setup = setup_of("Adam", Json::object(), "mean_squared_error", {});
    for (const char* device : {"cpu:0", "cuda:0"}) {
        ExecutorOptions options = testing::options_of(2);
        options.device = device;
        Executor executor(model, &setup, options);
        executor.initialize(3);
        const std::vector<float> inputs{1.0F, 2.0F, 3.0F, 4.0F}, targets{1e20F, 0.0F};
        const std::vector<HostTensor> before = executor.snapshot(true);
        executor.accumulate(inputs.data(), targets.data(), 2, scalars_at(0));
        const UpdateResult result = executor.update(2, scalars_at(0));
        EXPECT_FALSE(std::isfinite(result.loss_sum)) << device;
        EXPECT_FALSE(result.applied) << device;
        const std::vector<HostTensor> after = executor.snapshot(true);
        for (std::size_t k = 0; k < before.size(); ++k)
            EXPECT_EQ(after[k].values, before[k].values) << device;
    }
}

// A launch that fails while its pass is recorded: the pass runs op by op from then on.
TEST_F(ExecutionOnCuda, WhatCannotBeRecordedIsLaunchedAndSaid) {
    const Setting on("STRATA_CUDA_GRAPHS", "1");
    const testing::Problem data = testing::problem_for(testing::classic(), batch);
    std::vector<std::vector<HostTensor>> states;
    for (const bool fails : {false, true}) {
        const auto executor = executor_of(testing::classic(), setup_of("SGD"));
        for (int step = 0; step < 4; ++step) {
            if (fails && step == 1) test::order_failure(3, cudaErrorLaunchFailure, true);
            const Counts before = emulated_counts();
            executor->train_step(data.inputs.data(), data.labels.data(), batch, scalars_at(step));
            if (step < 3) continue;
            EXPECT_EQ((emulated_counts() - before).graph_launches, fails ? 1U : 2U);
        }
        const std::string note = executor->take_note();
        EXPECT_EQ(note.find("cuda:0") != std::string::npos, fails) << note;
        EXPECT_EQ(note.find("CUDA graph") != std::string::npos, fails) << note;
        EXPECT_EQ(executor->take_note(), "");
        states.push_back(executor->snapshot(true));
    }
    for (std::size_t k = 0; k < states[0].size(); ++k)
        EXPECT_EQ(states[0][k].values, states[1][k].values);
}

TEST_F(ExecutionOnCuda, ALaunchThatFailsNamesLayerAndOp) {
    const Setting off("STRATA_CUDA_GRAPHS", "0");
    const auto executor = executor_of(testing::classic(), setup_of("SGD"));
    const testing::Problem data = testing::problem_for(testing::classic(), batch);
    executor->train_step(data.inputs.data(), data.labels.data(), batch, scalars_at(0));
    test::order_failure(1, cudaErrorInvalidConfiguration, true);  // the first is the numbers'
    const Error error = error_of([&] {
        executor->train_step(data.inputs.data(), data.labels.data(), batch, scalars_at(1));
    });
    EXPECT_THAT(error.message(), AllOf(HasSubstr("layer 'rescaling', ScaleShift"),
                                       HasSubstr("invalid configuration argument")));
    EXPECT_EQ(error.where(), "cuda:0");
}

TEST_F(ExecutionOnCuda, AFaultBesideTheHostSaysHowToFindItsOp) {
    const testing::Problem data = testing::problem_for(testing::classic(), batch);
    {
        const Setting on("STRATA_CUDA_GRAPHS", "1");
        const auto executor = executor_of(testing::classic(), setup_of("SGD"));
        for (int step = 0; step < 3; ++step)
            executor->train_step(data.inputs.data(), data.labels.data(), batch, scalars_at(step));
        test::order_failure(2, cudaErrorIllegalAddress, false);
        const Error error = error_of([&] {
            executor->train_step(data.inputs.data(), data.labels.data(), batch, scalars_at(3));
        });
        EXPECT_THAT(error.message(),
                    AllOf(HasSubstr("update 4"), HasSubstr("an illegal memory access")));
        EXPECT_THAT(error.hint(), HasSubstr("CUDA_LAUNCH_BLOCKING=1"));
    }
    const Setting blocking("CUDA_LAUNCH_BLOCKING", "1");
    const auto executor = executor_of(testing::classic(), setup_of("SGD"));
    const Counts before = emulated_counts();
    for (int step = 0; step < 3; ++step)
        executor->train_step(data.inputs.data(), data.labels.data(), batch, scalars_at(step));
    EXPECT_EQ((emulated_counts() - before).graph_launches, 0U);
    test::order_failure(2, cudaErrorIllegalAddress, false);
    const Error error = error_of([&] {
        executor->train_step(data.inputs.data(), data.labels.data(), batch, scalars_at(3));
    });
    EXPECT_THAT(error.message(), AllOf(HasSubstr("layer 'accuracy', Accuracy"),
                                       HasSubstr("an illegal memory access")));
    EXPECT_THAT(error.hint(), Not(HasSubstr("CUDA_LAUNCH_BLOCKING")));
}

}  // namespace
}  // namespace strata::graph
