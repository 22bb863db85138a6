// The predicted cost of the techniques: what must hold whatever the device's rates are.
#include "engine/graph/step_time.h"

#include <gtest/gtest.h>

#include <optional>

#include "engine/graph/device_rates.h"
#include "engine/graph/op_cost.h"
#include "engine/graph/training_now.h"
#include "tests/engine/graph/models.h"

namespace strata::graph {
namespace {

using testing::layer;
using testing::model_of;
using testing::options_of;
using testing::setup_of;

Model chain() {
    std::vector<Json> layers{layer("input", "InputLayer", {{"shape", {64}}})};
    for (int i = 0; i < 8; ++i)
        layers.push_back(
            layer("layer_" + std::to_string(i), "Dense", {{"units", 128}, {"activation", "tanh"}}));
    layers.push_back(layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}}));
    return model_of(layers);
}

StepTime time_of(const Model& model, const TrainingSetup& setup, std::int64_t micro_batches = 1) {
    return predict_step_time(model, setup, options_of(64), micro_batches);
}

TEST(StepTime, WithoutTechniquesIsTheMeasure) {
    const StepTime time = time_of(testing::cnn(), setup_of("Adam"));
    EXPECT_EQ(time.relative_step_time, 1.0);
    EXPECT_GT(time.with.forward, 0.0);
    EXPECT_GT(time.with.backward, 0.0);
    EXPECT_GT(time.with.update, 0.0);
    EXPECT_EQ(time.with.recomputation, 0.0);
    EXPECT_EQ(time.with.accumulation, 0.0);
    EXPECT_EQ(time.with.clip, 0.0);
    EXPECT_EQ(time.with.casts, 0.0);
    EXPECT_EQ(time_of(testing::cnn(), setup_of("Adam")).with.total(), time.with.total())
        << "the rates are measured once";
}

// Of 5 threads, as no other test.
TEST(StepTime, WhatWasMeasuredBesideATrainingIsMeasuredAnew) {
    ExecutorOptions options = options_of(64);
    options.device_options.threads = 5;
    const Model model = testing::cnn();
    const TrainingSetup setup = setup_of("Adam");
    const auto seconds = [&] { return predict_step_time(model, setup, options, 1).with.total(); };
    std::optional<TrainingNow> training(std::in_place);
    const double beside = seconds();
    EXPECT_EQ(seconds(), beside) << "once";
    training.reset();
    const double alone = seconds();
    EXPECT_NE(alone, beside) << "of all of its rates none is the same to the nanosecond";
    training.emplace();
    EXPECT_EQ(seconds(), alone) << "what was measured alone counts";
}

// The rates were asked for before: what they measure from then on counts for the training only.
TEST(StepTime, RatesInUseKeepNothingThatATrainingDisturbs) {
    DeviceRates& rates = rates_of("cpu:0", {.threads = 6});
    const OpCost cost{{Work::product, DType::float32}, 1e9, 1e6};
    std::optional<TrainingNow> training(std::in_place);
    const double beside = rates.seconds(cost);
    EXPECT_EQ(rates.seconds(cost), beside) << "once";
    training.reset();
    const double alone = rates.seconds(cost);
    EXPECT_NE(alone, beside);
    EXPECT_EQ(rates.seconds(cost), alone);
}

TEST(StepTime, RecomputationOfAllIsAboutOneMoreForwardPass) {
    for (const Model& model : {chain(), testing::branches()}) {
        Model all = model, some = model;
        for (LayerNode& node : all.layers) node.recompute = true;
        some.layers[3].recompute = some.layers[4].recompute = true;
        const StepTime more = time_of(all, setup_of()), few = time_of(some, setup_of());
        // Even where each op took as long as any other.
        EXPECT_GT(more.with.recomputation, 0.3 * more.with.forward);
        EXPECT_LE(more.with.recomputation, more.with.forward);
        EXPECT_GT(few.with.recomputation, 0.0);
        EXPECT_LT(few.with.recomputation, more.with.recomputation);
        EXPECT_DOUBLE_EQ(more.with.forward, more.without.forward);
        EXPECT_NEAR(more.with.total() - more.without.total(), more.with.recomputation,
                    1e-9 * more.with.total());
        EXPECT_GT(more.relative_step_time, few.relative_step_time);
        EXPECT_GT(few.relative_step_time, 1.0);
    }
}

TEST(StepTime, AccumulationSharesTheUpdate) {
    TrainingSetup setup = setup_of("Adam");
    const StepTime one = time_of(chain(), setup);
    setup.accumulates = true;
    const StepTime two = time_of(chain(), setup, 2), eight = time_of(chain(), setup, 8);
    EXPECT_DOUBLE_EQ(two.with.update, one.with.update / 2);
    EXPECT_DOUBLE_EQ(eight.with.update, one.with.update / 8);
    EXPECT_GT(eight.with.accumulation, 0.0);
    EXPECT_DOUBLE_EQ(eight.with.accumulation, two.with.accumulation);
    EXPECT_LT(eight.relative_step_time, two.relative_step_time);
    EXPECT_DOUBLE_EQ(eight.without.total(), one.without.total());
}

TEST(StepTime, EachTechniqueStandsInItsPart) {
    TrainingSetup setup = setup_of("Adam");
    setup.clip_by_variable = true;
    EXPECT_GT(time_of(chain(), setup).with.clip, 0.0);
    setup = setup_of("Adam");
    setup.ema_momentum = 0.9F;
    const StepTime average = time_of(chain(), setup);
    EXPECT_GT(average.with.update, average.without.update);
    for (const char* policy : {"mixed_bfloat16", "mixed_float16"}) {
        setup = setup_of("Adam");
        setup.precision = policy;
        const StepTime half = time_of(chain(), setup);
        EXPECT_GT(half.with.casts, 0.0) << policy;
        EXPECT_EQ(half.without.casts, 0.0) << policy;
    }
}

// FLOPs as one counts them by hand.
TEST(OpCost, CountsTheFlopsOfProductsAndConvolutions) {
    const Model model = model_of(
        {layer("input", "InputLayer", {{"shape", {8, 8, 6}}}),
         layer("conv", "Conv2D", {{"filters", 10}, {"kernel_size", 3}, {"padding", "same"}}),
         layer("flatten", "Flatten"),
         layer("dense", "Dense", {{"units", 7}, {"activation", "softmax"}})});
    const TrainingSetup setup = setup_of();
    const ModelReport report = require_valid(model);
    const Plan plan = make_plan(model, report, lay_out_state(model, report, &setup), &setup,
                                Mode::train, 4, DType::float32);
    const double convolution = 2.0 * 4 * 64 * 10 * 9 * 6, product = 2.0 * 4 * 640 * 7;
    int convolutions = 0, products = 0;
    for (const ops::Op& op : plan.program.ops) {
        const OpCost cost = cost_of(plan.program, op);
        if (cost.kind.work == Work::product) {
            EXPECT_EQ(cost.flops, product);
            ++products;
        } else if (counts_flops(cost.kind.work)) {
            EXPECT_EQ(cost.flops, convolution);
            ++convolutions;
        } else {
            EXPECT_EQ(cost.flops, 0.0);
        }
        EXPECT_GT(cost.bytes, 0.0);
    }
    EXPECT_EQ(products, 3) << "forward, and two gradients";
    EXPECT_EQ(convolutions, 2) << "forward, and the kernel's gradient";
}

// Kernels that leave zeros out are as fast as gradients are sparse.
TEST(OpCost, KnowsWhichPartOfAGradientIsNotZero) {
    const auto share_of = [](const char* activation, const std::vector<Json>& behind) {
        std::vector<Json> layers{layer("input", "InputLayer", {{"shape", {8, 8, 8}}}),
                                 layer("conv", "Conv2D",
                                       {{"filters", 8},
                                        {"kernel_size", 3},
                                        {"padding", "same"},
                                        {"activation", activation}})};
        layers.insert(layers.end(), behind.begin(), behind.end());
        layers.push_back(layer("flatten", "Flatten"));
        layers.push_back(layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}}));
        const Model model = model_of(layers);
        const TrainingSetup setup = setup_of();
        const ModelReport report = require_valid(model);
        const StateLayout state = lay_out_state(model, report, &setup);
        const Plan plan = make_plan(model, report, state, &setup, Mode::train, 4, DType::float32);
        for (const ops::Op& op : plan.program.ops)
            if (std::holds_alternative<ops::Conv2DBackwardWeights>(op.attributes))
                return cost_of(plan.program, op).nonzero;
        return -1.0;
    };
    const Json pool = layer("pool", "MaxPooling2D", {{"pool_size", 2}});
    const Json mean = layer("mean", "AveragePooling2D", {{"pool_size", 2}});
    const Json drop = layer("drop", "Dropout", {{"rate", 0.2}});
    EXPECT_EQ(share_of("linear", {}), 1.0);
    EXPECT_EQ(share_of("relu", {}), 0.5);
    EXPECT_EQ(share_of("linear", {pool}), 0.25);
    EXPECT_EQ(share_of("linear", {mean}), 1.0);
    EXPECT_NEAR(share_of("linear", {drop}), 0.8, 1e-6);
    EXPECT_NEAR(share_of("relu", {pool, drop}), 0.25 * 15 / 16 * 0.8, 1e-6)
        << "one of a window of four, unless none of them is positive";
}

}  // namespace
}  // namespace strata::graph
