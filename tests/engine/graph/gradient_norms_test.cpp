// The norms that the training doctor reads, against copies of the gradients.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "engine/graph/executor.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

using testing::layer;
using testing::model_of;
using testing::setup_of;

TEST(GradientNorms, AreThoseOfTheCopies) {
    const TrainingSetup setup = setup_of();
    ExecutorOptions options;
    options.batch = 2;
    Executor executor(
        model_of({layer("input", "InputLayer", {{"shape", {150}}}),
                  layer("hidden", "Dense", {{"units", 131}, {"activation", "relu"}}),
                  layer("output", "Dense", {{"units", 2}, {"activation", "softmax"}})}),
        &setup, options);
    executor.initialize(3);
    std::vector<float> x(300);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7) - 2.5F;
    const std::vector<std::int32_t> labels{0, 1};
    executor.train_step(x.data(), labels.data(), 2, ops::StepScalars{});
    std::map<std::string, double> squares;
    for (const HostTensor& tensor : executor.gradients())
        for (float g : tensor.values)
            squares[tensor.layer] += static_cast<double>(g) * static_cast<double>(g);
    const auto norms = executor.gradient_norms(0.5);
    ASSERT_EQ(norms.size(), 2U);
    EXPECT_EQ(norms[0].layer, "hidden");
    for (const GradientNorm& one : norms) {
        EXPECT_GT(one.norm, 0.0);
        EXPECT_NEAR(one.norm, 0.5 * std::sqrt(squares.at(one.layer)), 1e-12 * one.norm);
    }
}

}  // namespace
}  // namespace strata::graph
