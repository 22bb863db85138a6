// Whole training steps on the emulated plug-in: losses, metrics, weights and moments as on the CPU.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/random.h"
#include "engine/graph/runtime.h"
#include "tests/engine/backends/cuda/plugin/plugin.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

using testing::branches;
using testing::layer;
using testing::model_of;
using testing::options_of;
using testing::scalars_of;
using testing::setup_of;

constexpr std::int64_t batch = 7;
constexpr int steps = 4;

Model tiny_classic() {
    return model_of({layer("input", "InputLayer", {{"shape", {6, 6, 1}}}),
                     layer("rescaling", "Rescaling"), layer("flatten", "Flatten"),
                     layer("hidden", "Dense", {{"units", 13}, {"activation", "relu"}}),
                     layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
}

Model tiny_cnn() {
    return model_of(
        {layer("input", "InputLayer", {{"shape", {10, 10, 1}}}), layer("rescaling", "Rescaling"),
         layer("conv_1", "Conv2D", {{"filters", 4}, {"kernel_size", 3}, {"activation", "relu"}}),
         layer("pool_1", "MaxPooling2D"),
         layer("conv_2", "Conv2D", {{"filters", 5}, {"kernel_size", 2}, {"activation", "relu"}}),
         layer("pool_2", "MaxPooling2D"), layer("flatten", "Flatten"),
         layer("dropout", "Dropout", {{"rate", 0.25}}),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
}

struct History {
    std::vector<BatchResult> results;
    BatchResult evaluation;
    std::vector<HostTensor> state;
};

History train(const Model& model, const TrainingSetup& setup, const std::string& device,
              DType dtype, std::int64_t elements, std::int32_t classes) {
    ExecutorOptions options = options_of(batch, dtype);
    options.device = device;
    options.other_batches = {3};
    Executor executor(model, &setup, options);
    executor.initialize(3);
    History history;
    std::vector<std::uint8_t> bytes;
    std::vector<float> values;
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < batch * elements; ++i) {
        const auto word = random::draw(1, 2, 3, static_cast<std::uint64_t>(i))[0];
        bytes.push_back(static_cast<std::uint8_t>(word >> 24));
        values.push_back(random::uniform(word));
    }
    for (std::int64_t i = 0; i < batch; ++i)
        labels.push_back(static_cast<std::int32_t>((3 * i + 1) % classes));
    const void* x = dtype == DType::uint8 ? static_cast<const void*>(bytes.data()) : values.data();
    for (int step = 0; step < steps; ++step) {
        const std::int64_t n = step == 2 ? 3 : batch;  // a short batch in between
        history.results.push_back(
            executor.train_step(x, labels.data(), n, scalars_of(0.02F, step + 1)));
    }
    history.evaluation = executor.evaluate(x, labels.data(), batch);
    history.state = executor.snapshot(true);
    return history;
}

void expect_same(const History& cuda, const History& cpu) {
    for (std::size_t i = 0; i < cpu.results.size(); ++i) {
        SCOPED_TRACE("step " + std::to_string(i + 1));
        EXPECT_NEAR(cuda.results[i].loss_sum, cpu.results[i].loss_sum,
                    1e-5 * (1.0 + cpu.results[i].loss_sum));
        EXPECT_EQ(cuda.results[i].metric_sums, cpu.results[i].metric_sums);
        EXPECT_NEAR(cuda.results[i].gradient_norm, cpu.results[i].gradient_norm,
                    1e-4 * (0.01 + cpu.results[i].gradient_norm));
    }
    EXPECT_NEAR(cuda.evaluation.loss_sum, cpu.evaluation.loss_sum,
                1e-5 * (1.0 + cpu.evaluation.loss_sum));
    ASSERT_EQ(cuda.state.size(), cpu.state.size());
    for (std::size_t k = 0; k < cpu.state.size(); ++k)
        for (std::size_t i = 0; i < cpu.state[k].values.size(); ++i)
            ASSERT_NEAR(cuda.state[k].values[i], cpu.state[k].values[i], 1e-4)
                << cpu.state[k].layer << " " << cpu.state[k].role << " " << cpu.state[k].slot;
}

class TrainingOnCuda : public ::testing::Test {
protected:
    static void SetUpTestSuite() { test::use_emulated_plugin(); }
    static void compare(const Model& model, const TrainingSetup& setup, DType dtype,
                        std::int64_t elements, std::int32_t classes) {
        expect_same(train(model, setup, "cuda:0", dtype, elements, classes),
                    train(model, setup, "cpu:0", dtype, elements, classes));
    }
};

TEST_F(TrainingOnCuda, TheRuntimeHasThePluginsDevice) {
    std::vector<std::string> ids;
    for (const device::DeviceInfo& info : runtime().devices())
        if (info.available) ids.push_back(info.id);
    EXPECT_EQ(ids, (std::vector<std::string>{"cpu:0", "cuda:0"}));
}

TEST_F(TrainingOnCuda, ClassicWithAdam) {
    compare(tiny_classic(), setup_of("Adam"), DType::uint8, 36, 10);
}

TEST_F(TrainingOnCuda, ClassicWithNesterov) {
    compare(tiny_classic(), setup_of("SGD", {{"momentum", 0.9}, {"nesterov", true}}),
            DType::float32, 36, 10);
}

TEST_F(TrainingOnCuda, CnnWithSgd) {
    compare(tiny_cnn(), setup_of("SGD"), DType::uint8, 100, 10);
}

// Not Adam: the bias before the batch normalisation has a gradient of 0 but for rounding, which
// Adam would make as large as any other.
TEST_F(TrainingOnCuda, BranchesWithMomentum) {
    compare(branches(), setup_of("SGD", {{"momentum", 0.9}}), DType::float32, 72, 3);
    compare(branches("tanh", "AveragePooling2D"), setup_of("SGD"), DType::float32, 72, 3);
}

}  // namespace
}  // namespace strata::graph
