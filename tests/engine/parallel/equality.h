// One model on one device and on many: data, placements and what has to be equal. For the tests of
// SEMANTICS "Data parallelism" and "Model and pipeline parallelism".
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "engine/parallel/pipeline_schedule.h"
#include "engine/parallel/placed_executor.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"

namespace strata::parallel::testing {

// The kind of the devices: STRATA_TEST_DEVICES, so that the same tests run on (emulated) GPUs.
inline std::string device_kind() {
    static const char* const kind = std::getenv("STRATA_TEST_DEVICES");
    return kind == nullptr ? "cpu" : kind;
}
inline bool on_cpus() {
    return device_kind() == "cpu";
}
inline std::string device_name(int number) {
    return device_kind() + ":" + std::to_string(number);
}

// A way to place a model: `chunks` stages on each of `devices`, dealt out in turn.
struct Layout {
    std::string name;
    int devices = 1, chunks = 1;
    PlacementOptions placement;
};

inline Layout layout(int replicas, int devices, ScheduleKind schedule, int micro_batches) {
    Layout layout;
    layout.devices = devices;
    layout.chunks = schedule == ScheduleKind::interleaved ? 2 : 1;
    layout.placement.replicas = replicas;
    layout.placement.schedule = schedule;
    layout.placement.micro_batches = micro_batches;
    layout.placement.threads = 1;
    layout.name = "r" + std::to_string(replicas) + "_p" + std::to_string(devices) + "_" +
                  (schedule == ScheduleKind::one_f_one_b ? "1f1b" : name_of(schedule)) + "_m" +
                  std::to_string(micro_batches);
    return layout;
}

// 2 and 4 replicas, 2 and 4 stages, 2 x 2, each schedule, m < p, m > p and m that does not divide
// the batch. Of emulated GPUs, which are slow, some of them.
inline std::vector<Layout> all_layouts() {
    using enum ScheduleKind;
    if (!on_cpus())
        return {layout(2, 1, one_f_one_b, 1), layout(4, 1, one_f_one_b, 1),
                layout(1, 2, gpipe, 5),       layout(1, 4, one_f_one_b, 3),
                layout(2, 2, one_f_one_b, 3), layout(1, 2, interleaved, 4)};
    return {
        layout(2, 1, one_f_one_b, 1), layout(4, 1, one_f_one_b, 1), layout(2, 2, naive, 3),
        layout(1, 2, naive, 5),       layout(1, 2, gpipe, 1),       layout(1, 2, gpipe, 5),
        layout(1, 4, gpipe, 2),       layout(1, 2, one_f_one_b, 5), layout(1, 4, one_f_one_b, 3),
        layout(1, 4, one_f_one_b, 5), layout(2, 2, one_f_one_b, 3), layout(2, 2, gpipe, 2),
        layout(1, 2, interleaved, 2), layout(1, 2, interleaved, 4), layout(2, 2, interleaved, 2)};
}

// The layers in file order in as many runs of near equal length as the layout has stages.
inline graph::Model placed(graph::Model model, const Layout& layout) {
    const auto stages = static_cast<std::size_t>(layout.devices * layout.chunks);
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        model.layers[i].device =
            device_name(static_cast<int>(i * stages / model.layers.size()) % layout.devices);
    return model;
}

inline graph::Model on_one_device(graph::Model model) {
    for (graph::LayerNode& node : model.layers) node.device = device_name(0);
    return model;
}

// Its layers of BatchNormalization take the statistics of all replicas.
inline graph::Model synchronized(graph::Model model) {
    for (graph::LayerNode& node : model.layers)
        if (node.type->spec.type == "BatchNormalization") {
            Json config = node.config.json();
            config["synchronized"] = true;
            node.config = layers::Config::checked(node.type->spec.params, config);
        }
    return model;
}

struct Batch {
    std::vector<std::byte> inputs;
    std::vector<std::int32_t> labels;
};

// Inputs from -1 to 1, or bytes.
inline Batch batch_for(const graph::Model& model, std::int64_t n, std::uint64_t seed,
                       DType input = DType::float32) {
    const graph::ModelReport report = graph::require_valid(model);
    const auto values =
        n * report.layers[static_cast<std::size_t>(report.input)].output->elements();
    const auto classes = static_cast<std::uint64_t>(
        (*report.layers[static_cast<std::size_t>(report.output)].output)[-1]);
    Batch batch;
    const std::vector<float> floats = strata::testing::random_values(values, seed, -1.0F, 1.0F);
    if (input == DType::uint8) {
        for (const float value : floats)
            batch.inputs.push_back(static_cast<std::byte>(127.5F * (value + 1.0F)));
    } else {
        batch.inputs.resize(floats.size() * sizeof(float));
        std::memcpy(batch.inputs.data(), floats.data(), batch.inputs.size());
    }
    for (std::int64_t i = 0; i < n; ++i)
        batch.labels.push_back(static_cast<std::int32_t>(
            random::draw(seed, 7, 1, static_cast<std::uint64_t>(i))[0] % classes));
    return batch;
}

struct Run {
    int steps = on_cpus() ? 20 : 13;
    std::int64_t batch = 12;
    float learning_rate = 0.02F;
    DType input = DType::float32;
    float clip_limit = 0.0F;
};

// Each step's loss of a sample, gradient norm and whether it was applied. The 7th batch is short,
// the 12th has fewer samples than most layouts have micro-batches or replicas.
struct Course {
    std::vector<double> losses, norms;
    std::vector<bool> applied;
    std::vector<std::vector<double>> metrics;
};

inline std::int64_t size_of_step(int step, const Run& run) {
    return step == 6 ? run.batch / 2 - 1 : step == 11 ? 1 : run.batch;
}

inline ops::StepScalars scalars_of_step(int step, const Run& run) {
    ops::StepScalars scalars = graph::testing::scalars_of(run.learning_rate, step + 1);
    scalars.seed = 3;
    scalars.clip_limit = run.clip_limit;
    scalars.first_sample = step * run.batch;
    return scalars;
}

inline Course course_of(graph::ModelExecutor& executor, const Run& run = {}) {
    Course course;
    executor.initialize(5);
    for (int step = 0; step < run.steps; ++step) {
        const std::int64_t n = size_of_step(step, run);
        const Batch data =
            batch_for(executor.model(), n, static_cast<std::uint64_t>(step % 4), run.input);
        const graph::BatchResult result = executor.train_step(
            data.inputs.data(), data.labels.data(), n, scalars_of_step(step, run));
        course.losses.push_back(result.loss_sum / static_cast<double>(n));
        course.norms.push_back(result.gradient_norm);
        course.applied.push_back(result.applied);
        course.metrics.push_back(result.metric_sums);
    }
    return course;
}

inline void expect_same(const Course& many, const Course& one, double tolerance = 1e-5) {
    ASSERT_EQ(many.losses.size(), one.losses.size());
    for (std::size_t i = 0; i < one.losses.size(); ++i) {
        EXPECT_NEAR(many.losses[i], one.losses[i], tolerance * std::abs(one.losses[i]))
            << "step " << i;
        EXPECT_NEAR(many.norms[i], one.norms[i], 10 * tolerance * (one.norms[i] + 1e-3))
            << "step " << i;
    }
    EXPECT_EQ(many.applied, one.applied);
}

inline void expect_close(const std::vector<graph::HostTensor>& many,
                         const std::vector<graph::HostTensor>& one, double tolerance) {
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(many[i].layer + "/" + many[i].role + many[i].slot,
                  one[i].layer + "/" + one[i].role + one[i].slot);
        EXPECT_LE(strata::testing::distance(many[i].values, one[i].values), tolerance)
            << one[i].layer << "/" << one[i].role << one[i].slot;
    }
}

inline void expect_equal(const std::vector<graph::HostTensor>& many,
                         const std::vector<graph::HostTensor>& one) {
    ASSERT_EQ(many.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i)
        EXPECT_EQ(many[i].values, one[i].values)
            << one[i].layer << "/" << one[i].role << one[i].slot;
}

inline graph::ExecutorOptions one_thread(std::int64_t batch, DType input = DType::float32) {
    graph::ExecutorOptions options = graph::testing::options_of(batch, input);
    options.device = device_name(0);
    options.device_options.threads = 1;
    return options;
}

}  // namespace strata::parallel::testing
