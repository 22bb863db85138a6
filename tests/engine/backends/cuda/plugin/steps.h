// The same training steps on the CPU and on the emulated plug-in, compared by precision.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/graph/executor.h"
#include "tests/engine/graph/models.h"

namespace strata::graph::testing {

inline const std::vector<std::string>& precisions() {
    static const std::vector<std::string> all{"float32", "mixed_bfloat16", "mixed_float16"};
    return all;
}

// How far two devices may be apart, as a share of a tensor's length. Both round the same results to
// the same type, but sum float32 products in another order, so that a result may round to the
// neighbour: one step in 2^8 (bfloat16) or 2^11 (float16). Where the CPU rounds once, cuBLASLt adds
// a bias of the operands' type, and an activation reads the rounded sum: one step more each. A
// gradient passes three layers: eight steps, each of which few elements take.
inline double tolerance_of(const std::string& precision) {
    if (precision == "mixed_bfloat16") return 8 * 0x1p-8;
    return precision == "mixed_float16" ? 8 * 0x1p-11 : 1e-4;
}

struct Problem {
    std::vector<float> inputs, targets;
    std::vector<std::int32_t> labels;
};

inline Problem problem_for(const Model& model, std::int64_t n) {
    const ModelReport report = require_valid(model);
    const auto elements = [&](int layer) {
        return report.layers[static_cast<std::size_t>(layer)].output->elements();
    };
    const auto uniform = [](std::uint32_t stream, std::int64_t i) {
        return random::uniform(random::draw(21, stream, 0, static_cast<std::uint64_t>(i))[0]);
    };
    Problem problem;
    for (std::int64_t i = 0; i < n * elements(report.input); ++i)
        problem.inputs.push_back(2.0F * uniform(1, i) - 1.0F);
    const std::int64_t outputs = elements(report.output);
    for (std::int64_t i = 0; i < n * outputs; ++i)
        problem.targets.push_back(uniform(2, i) < 0.4F ? 1.0F : 0.0F);
    problem.labels = labels_of(n, static_cast<std::int32_t>(outputs));
    return problem;
}

struct Steps {
    std::int64_t batch = 5;
    int count = 2;
    float clip_limit = 0.0F, weight_decay = 0.0F;
};

struct History {
    std::vector<BatchResult> results;
    std::vector<HostTensor> gradients, state;
    BatchResult evaluation;
};

inline History history_on(const std::string& device, const Model& model, const TrainingSetup& setup,
                          const Steps& steps) {
    ExecutorOptions options = options_of(steps.batch);
    options.device = device;
    options.device_options.threads = device.starts_with("cpu") ? 1 : 0;
    Executor executor(model, &setup, options);
    executor.initialize(3);
    const Problem problem = problem_for(model, steps.batch);
    const bool by_label = setup.loss->target == losses::TargetKind::class_index;
    const void* targets = by_label ? static_cast<const void*>(problem.labels.data())
                                   : static_cast<const void*>(problem.targets.data());
    History history;
    for (int step = 0; step < steps.count; ++step) {
        ops::StepScalars scalars = scalars_of(0.05F, step + 1);
        scalars.loss_scale = setup.precision == "mixed_float16" ? 256.0F : 1.0F;
        scalars.clip_limit = steps.clip_limit;
        scalars.weight_decay = steps.weight_decay;
        scalars.first_sample = step * steps.batch;
        history.results.push_back(
            executor.train_step(problem.inputs.data(), targets, steps.batch, scalars));
        if (step == 0) history.gradients = executor.gradients();
    }
    history.state = executor.snapshot(true);
    history.evaluation = executor.evaluate(problem.inputs.data(), targets, steps.batch);
    return history;
}

// |cuda - cpu| <= tolerance * |cpu|, of a tensor's lengths; what is nearly nothing beside the
// largest tensor may be rounding alone. A bias's gradient is a sum over the batch that may cancel:
// what is summed is as long as the largest tensor.
inline void expect_near(const std::vector<HostTensor>& cuda, const std::vector<HostTensor>& cpu,
                        double tolerance) {
    ASSERT_EQ(cuda.size(), cpu.size());
    double largest = 0.0;
    const auto length = [](const HostTensor& a, const HostTensor* b) {
        double squares = 0.0;
        for (std::size_t i = 0; i < a.values.size(); ++i) {
            const double other = b == nullptr ? 0.0 : static_cast<double>(b->values[i]);
            squares += std::pow(static_cast<double>(a.values[i]) - other, 2);
        }
        return std::sqrt(squares);
    };
    for (const HostTensor& tensor : cpu) largest = std::max(largest, length(tensor, nullptr));
    for (std::size_t k = 0; k < cpu.size(); ++k)
        EXPECT_LE(length(cuda[k], &cpu[k]),
                  tolerance * std::max(length(cpu[k], nullptr),
                                       (cpu[k].shape.rank() == 1 ? 1.0 : 1e-2) * largest))
            << cpu[k].layer << "/" << cpu[k].role << " " << cpu[k].slot << " of length "
            << length(cpu[k], nullptr);
}

inline void expect_near(const BatchResult& cuda, const BatchResult& cpu, double tolerance,
                        std::int64_t batch) {
    EXPECT_NEAR(cuda.loss_sum, cpu.loss_sum, tolerance * (1.0 + std::abs(cpu.loss_sum)));
    EXPECT_NEAR(cuda.gradient_norm, cpu.gradient_norm, tolerance * (0.01 + cpu.gradient_norm));
    EXPECT_EQ(cuda.applied, cpu.applied);
    ASSERT_EQ(cuda.metric_sums.size(), cpu.metric_sums.size());
    for (std::size_t i = 0; i < cpu.metric_sums.size(); ++i)  // a tie may fall to either side
        EXPECT_NEAR(cuda.metric_sums[i], cpu.metric_sums[i],
                    tolerance < 1e-3 ? 1e-9 : 0.25 * static_cast<double>(batch));
}

inline void expect_same_on_both(const Model& model, const TrainingSetup& setup,
                                const Steps& steps = {}) {
    const double tolerance = tolerance_of(setup.precision);
    const History cpu = history_on("cpu:0", model, setup, steps);
    const History cuda = history_on("cuda:0", model, setup, steps);
    for (std::size_t i = 0; i < cpu.results.size(); ++i)
        expect_near(cuda.results[i], cpu.results[i], tolerance, steps.batch);
    expect_near(cuda.evaluation, cpu.evaluation, tolerance, steps.batch);
    {
        SCOPED_TRACE("gradients");
        expect_near(cuda.gradients, cpu.gradients, tolerance);
    }
    SCOPED_TRACE("state");
    expect_near(cuda.state, cpu.state, tolerance);
}

}  // namespace strata::graph::testing
