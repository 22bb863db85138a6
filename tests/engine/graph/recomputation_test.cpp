// Fitting a plan to a memory limit: as little work more as possible, and a true answer where it
// cannot be done.
#include "engine/graph/recomputation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/graph/memory_advice.h"
#include "engine/graph/memory_plan.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/layers/error_of.h"

namespace strata::graph {
namespace {

using strata::testing::error_of;
using testing::layer;
using testing::model_of;
using testing::options_of;
using testing::setup_of;

Model chain(const std::vector<int>& widths) {
    std::vector<Json> layers{layer("input", "InputLayer", {{"shape", {64}}})};
    for (std::size_t i = 0; i < widths.size(); ++i)
        layers.push_back(layer("layer_" + std::to_string(i), "Dense",
                               {{"units", widths[i]}, {"activation", "tanh"}}));
    layers.push_back(layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}}));
    return model_of(layers);
}

// The CNN of the templates, with as many filters.
Model template_cnn() {
    const auto convolution = [](const char* name, int filters) {
        return layer(name, "Conv2D",
                     {{"filters", filters},
                      {"kernel_size", 3},
                      {"padding", "same"},
                      {"activation", "relu"}});
    };
    return model_of({layer("input", "InputLayer", {{"shape", {28, 28, 1}}}),
                     layer("rescaling", "Rescaling"), convolution("conv_1", 32),
                     layer("pool_1", "MaxPooling2D"), convolution("conv_2", 64),
                     layer("pool_2", "MaxPooling2D"), layer("flatten", "Flatten"),
                     layer("dropout", "Dropout", {{"rate", 0.25}}),
                     layer("classes", "Dense", {{"units", 10}, {"activation", "softmax"}})});
}

// All sets of layers by brute force against what the search takes.
TEST(Recomputation, TakesTheLeastWorkThatFits) {
    const TrainingSetup setup = setup_of("SGD");
    for (const std::vector<int>& widths : {std::vector<int>{256, 64, 256, 32, 128},
                                           std::vector<int>{128, 128, 128, 128, 128, 128}}) {
        const Model model = chain(widths);
        const ExecutorOptions options = options_of(256);
        RecomputationSearch all(model, setup, options);
        ASSERT_LE(all.candidates().size(), RecomputationSearch::exhaustive);
        std::vector<RecomputationSearch::Choice> choices;
        for (std::uint32_t set = 0; set < 1U << all.candidates().size(); ++set) {
            std::vector<bool> marked(model.layers.size(), false);
            for (std::size_t i = 0; i < all.candidates().size(); ++i)
                marked[all.candidates()[i]] = (set >> i & 1U) != 0;
            choices.push_back(all.tried(marked));
        }
        const auto [least, most] =
            std::minmax_element(choices.begin(), choices.end(),
                                [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
        const std::size_t plain = choices.front().bytes;
        ASSERT_LT(least->bytes, plain);
        for (int part = 0; part <= 4; ++part) {
            const std::size_t limit = least->bytes + (plain - least->bytes) * part / 4;
            double work = 1e300;
            for (const auto& choice : choices)
                if (choice.bytes <= limit) work = std::min(work, choice.work);
            RecomputationSearch search(model, setup, options);
            const auto found = search.best_within(limit);
            EXPECT_LE(found.bytes, limit);
            EXPECT_LE(found.work, 1.05 * work) << "part " << part;
            Model fitted = model;
            fit_by_recomputation(fitted, setup, options, limit);
            EXPECT_LE(predict_memory(fitted, &setup, options).total(), limit);
        }
    }
}

// More layers than all sets of can be tried: every limit down to what stretches of the square
// root's length need is kept (Chen et al., arXiv 1604.06174).
TEST(Recomputation, FindsStretchesInADeepModel) {
    const TrainingSetup setup = setup_of("SGD");
    const Model model = chain(std::vector<int>(24, 64));
    const ExecutorOptions options = options_of(256);
    Model stretches = model;
    for (std::size_t i = 1; i + 1 < stretches.layers.size(); ++i)
        stretches.layers[i].recompute = i % 5 != 0;
    const std::size_t plain = predict_memory(model, &setup, options).total();
    const std::size_t reached = predict_memory(stretches, &setup, options).total();
    ASSERT_LT(reached, plain);
    for (const std::size_t limit : {reached, (reached + plain) / 2}) {
        Model fitted = model;
        const auto names = fit_by_recomputation(fitted, setup, options, limit);
        EXPECT_LE(predict_memory(fitted, &setup, options).total(), limit);
        EXPECT_LT(names.size(), 24U);
    }
    Model loose = model;
    EXPECT_LT(fit_by_recomputation(loose, setup, options, plain - 70000).size(), 5U)
        << "one output of 64 KiB has to go";
    EXPECT_TRUE(fit_by_recomputation(loose, setup, options, plain).empty());
}

TEST(Recomputation, SaysWhatTakesTheMemoryAndWhatWouldHelp) {
    const TrainingSetup setup = setup_of("Adam");
    const ExecutorOptions options = options_of(64, DType::uint8);
    Model model = template_cnn();
    const Error error = error_of([&] { fit_by_recomputation(model, setup, options, 1 << 20); });
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    for (const LayerNode& node : model.layers) EXPECT_FALSE(node.recompute) << node.name;
    const MemoryPeak peak = memory_peak(model, setup, options);
    EXPECT_EQ(peak.category, device::Category::activations);
    EXPECT_NE(error.message().find("activations"), std::string::npos) << error.message();
    EXPECT_NE(error.message().find("'" + peak.layer + "'"), std::string::npos) << error.message();
    EXPECT_EQ(peak.layer, "conv_1");
    EXPECT_TRUE(peak.backward);
    EXPECT_GE(peak.layer_bytes, 64U * 28 * 28 * 32 * 4) << "a gradient of conv_1's size";
    EXPECT_NE(error.hint().find("batch_size"), std::string::npos) << error.hint();
}

// What is advised was planned: its bytes are those of the plan, and fewer than now.
TEST(Recomputation, AdviceIsWhatThePlannerFoundToNeedLess) {
    const TrainingSetup setup = setup_of("Adam");
    ExecutorOptions options = options_of(64, DType::uint8);
    options.other_batches = {40};
    const Model model = template_cnn();
    const std::size_t now = predict_memory(model, &setup, options).total();
    const std::size_t limit = now * 7 / 10;
    const auto advice = memory_alternatives(model, setup, options, now, limit);
    ASSERT_FALSE(advice.empty());
    for (const MemoryAlternative& other : advice) {
        EXPECT_LT(other.bytes, now) << other.change;
        TrainingSetup changed = setup;
        ExecutorOptions changed_options = options;
        for (const char* policy : {"mixed_bfloat16", "mixed_float16"})
            if (other.change.find(policy) != std::string::npos) changed.precision = policy;
        if (other.change.find("batch_size of 32 with 2 times") != std::string::npos) {
            changed.accumulates = true;
            changed_options.batch = 32;
            changed_options.other_batches = {8};
        }
        RecomputationSearch search(model, changed, changed_options);
        const Model best = search.marked_model(search.best_within(0));
        if (changed.accumulates || changed.precision != "float32") {
            EXPECT_EQ(predict_memory(best, &changed, changed_options).total(), other.bytes)
                << other.change;
        }
    }
    EXPECT_TRUE(std::is_sorted(advice.begin(), advice.end(),
                               [](const auto& a, const auto& b) { return a.bytes < b.bytes; }));
}

// A model that is nearly all weights: half a batch and 16 bits (a copy more) do not help, and are
// not named.
TEST(Recomputation, NamesNothingThatDoesNotHelp) {
    TrainingSetup setup = setup_of("SGD");
    const Model model =
        model_of({layer("input", "InputLayer", {{"shape", {1024}}}),
                  layer("wide", "Dense", {{"units", 1024}}),
                  layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}})});
    Model fitted = model;
    const Error error =
        error_of([&] { fit_by_recomputation(fitted, setup, options_of(2), 1 << 20); });
    EXPECT_EQ(error.hint().find("batch_size"), std::string::npos) << error.hint();
    EXPECT_EQ(error.hint().find("mixed_"), std::string::npos) << error.hint();
    EXPECT_NE(error.message().find("layer 'wide'"), std::string::npos) << error.message();
}

TEST(LivePeak, IsNoMoreThanThePlanHolds) {
    const TrainingSetup setup = setup_of("Adam");
    for (const Model& model : {testing::classic(), testing::branches(), template_cnn()}) {
        const ModelReport report = require_valid(model);
        const Plan plan = make_plan(model, report, lay_out_state(model, report, &setup), &setup,
                                    Mode::train, 16, DType::float32);
        const LivePeak peak = live_peak(plan.program, {}, device::Category::activations);
        EXPECT_GT(peak.bytes, 0U);
        EXPECT_LE(peak.bytes, plan.budget[device::Category::activations]);
        EXPECT_GE(1.1 * static_cast<double>(peak.bytes),
                  static_cast<double>(plan.budget[device::Category::activations]))
            << "little is lost between the blocks";
    }
}

}  // namespace
}  // namespace strata::graph
