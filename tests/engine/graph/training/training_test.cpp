// Training follows PyTorch: 200 steps of tests/references/training from the same weights on the
// same batches.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/data/source.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t pixels = 784;

// Where PyTorch agrees with itself (README of tests/references: the spread), losses and weights
// agree within this, relative for losses. Where it does not, a loss may be as far off as a few
// times the spread.
constexpr double tolerance = 1e-4;
constexpr double spreads = 5.0;

Model model_of_case(const Json& entry) {
    std::vector<Json> layers{testing::layer("input", "InputLayer", {{"shape", {28, 28, 1}}})};
    for (const Json& item : entry.at("layers"))
        layers.push_back(testing::layer("layer_" + std::to_string(layers.size()),
                                        item.at("class_name").get<std::string>(),
                                        item.at("config")));
    return testing::model_of(layers);
}

struct Trained {
    std::vector<double> losses;
    std::vector<HostTensor> weights;
};

Trained train(const Json& entry, const data::Source& source) {
    const auto batch = entry.at("batch_size").get<std::int64_t>();
    // The fast cases are chaotic: later losses would say nothing more.
    const bool calm = entry.at("name").get<std::string>().find("_fast") == std::string::npos;
    const auto steps = calm ? entry.at("steps").get<std::int64_t>() : 40;
    const Json& optimizer = entry.at("optimizer");
    const TrainingSetup setup =
        testing::setup_of(optimizer.at("class_name").get<std::string>(), optimizer.at("config"),
                          entry.at("loss").get<std::string>());
    Executor executor(model_of_case(entry), &setup, testing::options_of(batch, DType::uint8));
    executor.initialize(entry.at("seed").get<std::uint64_t>());
    std::vector<std::uint8_t> images(static_cast<std::size_t>(batch * pixels));
    std::vector<std::int32_t> labels(static_cast<std::size_t>(batch));
    std::vector<std::int64_t> rows(labels.size());
    const auto rate = optimizer.at("config").at("learning_rate").get<float>();
    Trained trained;
    for (std::int64_t step = 0; step < steps; ++step) {
        for (std::int64_t i = 0; i < batch; ++i)
            rows[static_cast<std::size_t>(i)] = (step * batch + i) % source.size();
        source.read(rows.data(), batch, images.data(), labels.data());
        const BatchResult result = executor.train_step(images.data(), labels.data(), batch,
                                                       testing::scalars_of(rate, step + 1));
        trained.losses.push_back(result.loss_sum / static_cast<double>(batch));
    }
    trained.weights = executor.snapshot(false);
    return trained;
}

std::string case_name(const ::testing::TestParamInfo<Json>& info) {
    return info.param.at("name").get<std::string>();
}

class FollowsPyTorch : public ::testing::TestWithParam<Json> {};

TEST_P(FollowsPyTorch, StepByStep) {
    if (!fs::exists("/usr/share/datasets/fashion-mnist"))
        GTEST_SKIP() << "the package dataset-fashion-mnist is not installed";
    const auto source = data::open_source(data::source_from_text("fashion-mnist", "train"), "", "");
    const Json& entry = GetParam();
    const auto reference = [&](const Json& file) {
        return strata::testing::reference_path("training/" + file.get<std::string>());
    };
    const auto losses = strata::testing::read_npy_values<double>(reference(entry.at("losses")));
    const auto spread = strata::testing::read_npy_values<double>(reference(entry.at("spread")));
    const Trained trained = train(entry, *source);
    ASSERT_GE(trained.losses.size(), 40U);
    ASSERT_LE(trained.losses.size(), losses.size());
    double worst = 0;
    for (std::size_t step = 0; step < trained.losses.size(); ++step) {
        const double off = std::abs(trained.losses[step] - losses[step]) / losses[step];
        worst = std::max(worst, off);
        const double allowed = entry.at("strict").get<bool>()
                                   ? tolerance
                                   : std::max(tolerance, spreads * spread[step]);
        ASSERT_LE(off, allowed) << "step " << step << ": " << trained.losses[step] << " for "
                                << losses[step];
    }
    RecordProperty("largest_relative_distance", std::to_string(worst));
    ASSERT_EQ(trained.weights.size(), entry.at("weights").size());
    for (std::size_t k = 0; k < trained.weights.size(); ++k) {
        const Json& weight = entry.at("weights")[k];
        EXPECT_EQ(trained.weights[k].role, weight.at("role"));
        EXPECT_EQ(Json(trained.weights[k].shape.to_vector()), weight.at("shape"));
        if (!weight.contains("file")) continue;
        const auto expected = strata::testing::read_npy_values<float>(reference(weight.at("file")));
        ASSERT_EQ(trained.weights[k].values.size(), expected.size());
        float largest = 0;
        for (std::size_t e = 0; e < expected.size(); ++e)
            largest = std::max(largest, std::abs(trained.weights[k].values[e] - expected[e]));
        EXPECT_LE(largest, tolerance) << "weight " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, FollowsPyTorch,
                         ::testing::ValuesIn(strata::testing::read_reference("training/cases.json")
                                                 .get<std::vector<Json>>()),
                         case_name);

}  // namespace
}  // namespace strata::graph
