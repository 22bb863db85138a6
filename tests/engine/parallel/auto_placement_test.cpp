// Automatic placement: models whose best cut is known, memory limits, and what it says of them.
#include "engine/parallel/auto_placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/parallel/placed_executor.h"
#include "engine/parallel/stages.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/parallel/given_speed.h"

namespace strata::parallel {
namespace {

using graph::Model;
using graph::testing::branches;
using graph::testing::cnn;
using graph::testing::layer;
using graph::testing::model_of;
using graph::testing::setup_of;

PlanRequest request_for(Model model, std::int64_t batch = 32) {
    PlanRequest request;
    request.model = std::move(model);
    request.speed = &testing::given_speed();
    request.setup = setup_of("Adam");
    request.options.batch = batch;
    request.placement.threads = 1;
    return request;
}

// Equal layers of much more work than the ends.
Model equal_layers(int count, int units = 256) {
    std::vector<Json> layers{layer("input", "InputLayer", {{"shape", {units}}})};
    for (int i = 1; i <= count; ++i)
        layers.push_back(layer("equal_" + std::to_string(i), "Dense",
                               {{"units", units}, {"activation", "relu"}}));
    layers.push_back(layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}}));
    return model_of(layers);
}

AutoOptions stages_of(int stages, int micro_batches = 4) {
    AutoOptions options;
    for (int i = 0; i < stages; ++i) options.devices.push_back("cpu:" + std::to_string(i));
    options.replicas = 1;
    options.stages = stages;
    options.micro_batches = micro_batches;
    return options;
}

std::string device_of(const AutoPlacement& chosen, const std::string& name) {
    return chosen.request.model.layer(name).device;
}

TEST(AutoPlacement, HalvesEqualLayers) {
    const AutoPlacement chosen =
        place_automatically(request_for(equal_layers(8, 1024)), stages_of(2));
    // The first layer gives no gradient to its input and the last devices do the loss: one layer
    // of eight more or less.
    EXPECT_EQ(device_of(chosen, "equal_3"), "cpu:0");
    EXPECT_EQ(device_of(chosen, "equal_6"), "cpu:1");
    EXPECT_EQ(chosen.plan.stages, 2);
    ASSERT_EQ(chosen.reasons.size(), 1U);
    EXPECT_NE(chosen.reasons[0].find("begins stage 2"), std::string::npos) << chosen.reasons[0];
    EXPECT_NE(chosen.reasons[0].find("% of the work"), std::string::npos) << chosen.reasons[0];
    EXPECT_NE(chosen.reasons[0].find("cross in an update"), std::string::npos);
}

TEST(AutoPlacement, GivesAHeavyLayerADeviceOfItsOwn) {
    std::vector<Json> layers{layer("input", "InputLayer", {{"shape", {256}}}),
                             layer("light", "Dense", {{"units", 256}, {"activation", "relu"}}),
                             layer("wide", "Dense", {{"units", 256}, {"activation", "relu"}}),
                             layer("heavy", "Dense", {{"units", 4096}, {"activation", "relu"}}),
                             layer("heavier", "Dense", {{"units", 2048}, {"activation", "relu"}}),
                             layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}})};
    const AutoPlacement chosen = place_automatically(request_for(model_of(layers)), stages_of(2));
    EXPECT_EQ(device_of(chosen, "heavy"), "cpu:0");
    EXPECT_EQ(device_of(chosen, "heavier"), "cpu:1");
}

// Against every cut of the model, by the same predicted times.
TEST(AutoPlacement, NoOtherCutIsPredictedFaster) {
    for (const Model& model : {equal_layers(6, 128), cnn()}) {
        PlanRequest request = request_for(model);
        const AutoPlacement chosen = place_automatically(request, stages_of(2));
        request = chosen.request;
        for (std::size_t cut = 1; cut < model.layers.size(); ++cut) {
            for (std::size_t i = 0; i < model.layers.size(); ++i)
                request.model.layers[i].device = i < cut ? "cpu:0" : "cpu:1";
            const PlacementPlan other = plan_placement(request, {.time = true, .warnings = false});
            // What the search leaves out: the copy of the samples and micro-batches of two sizes.
            EXPECT_LE(chosen.plan.timeline.length, 1.05 * other.timeline.length)
                << "cut before " << model.layers[cut].name;
        }
    }
}

TEST(AutoPlacement, IsTheSameEachTime) {
    const PlanRequest request = request_for(cnn());
    AutoOptions options = stages_of(3);
    options.replicas = options.stages = options.micro_batches = 0;
    const AutoPlacement first = place_automatically(request, options);
    const AutoPlacement second = place_automatically(request, options);
    EXPECT_EQ(first.request.model.to_json(), second.request.model.to_json());
    EXPECT_EQ(first.reasons, second.reasons);
    EXPECT_EQ(first.request.placement.replicas, second.request.placement.replicas);
    ASSERT_FALSE(first.candidates.empty());
    for (const AutoCandidate& candidate : first.candidates)
        if (candidate.fits) {
            EXPECT_LE(first.candidates[0].seconds_per_sample, 1.1 * candidate.seconds_per_sample);
        }
}

// Two devices gain less than a measurement's spread: one is simpler.
TEST(AutoPlacement, TheSimplestOfTheQuickestWins) {
    PlanRequest request = request_for(equal_layers(6, 256));
    AutoOptions options;
    options.devices = {"cpu:0", "cpu:1"};
    testing::GivenSpeed speed;
    request.speed = &speed;
    const AutoPlacement quick = place_automatically(request, options);
    ASSERT_GT(quick.plan.devices.size(), 1U) << "two are much quicker";
    const PlacementPlan one = plan_placement(request, {.time = true, .warnings = false});
    // Now the order to begin takes so long that they are quicker by 5 % only.
    const auto samples = static_cast<double>(quick.plan.samples);
    speed.links_.order += (one.seconds_per_sample() / 1.05 - quick.plan.seconds_per_sample()) *
                          samples / 2.0;  // to begin a batch and an update
    options.micro_batches = quick.candidates[0].micro_batches;
    const AutoPlacement near = place_automatically(request, options);
    EXPECT_EQ(near.plan.devices.size(), 1U);
    EXPECT_EQ(near.candidates[0].text, "one device");
    ASSERT_GT(near.candidates.size(), 1U);
    EXPECT_LT(near.candidates[1].seconds_per_sample, near.candidates[0].seconds_per_sample);
    EXPECT_NE(near.reasons[0].find("hardly tells it from this simpler one"), std::string::npos)
        << near.reasons[0];
    EXPECT_EQ(quick.reasons[0].find("hardly"), std::string::npos) << quick.reasons[0];
}

TEST(AutoPlacement, ReasonsTellThePlansShares) {
    const AutoPlacement chosen = place_automatically(request_for(cnn()), stages_of(2));
    const auto percent = [&](int device) {
        return std::to_string(std::lround(100.0 * chosen.plan.devices[device].work_share)) + " %";
    };
    EXPECT_NE(chosen.reasons[0].find(percent(0) + " / " + percent(1) + " of the work"),
              std::string::npos)
        << chosen.reasons[0];
}

TEST(AutoPlacement, MoreStagesThanLayersAreToldAsSuch) {
    PlanRequest request = request_for(equal_layers(2));
    AutoOptions options = stages_of(6);
    options.replicas = 0;
    try {
        place_automatically(request, options);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.message(), "a model of 4 layers has no 6 stages");
    }
}

TEST(AutoPlacement, KeepsBranchesInAChainOfStages) {
    for (int stages : {2, 3}) {
        const AutoPlacement chosen =
            place_automatically(request_for(branches()), stages_of(stages));
        const graph::ModelReport report = graph::require_valid(chosen.request.model);
        EXPECT_EQ(find_stages(chosen.request.model, report).graph.stages(), stages);
        PlacedExecutor executor(chosen.request.model, &chosen.request.setup, chosen.request.options,
                                chosen.request.placement);
        EXPECT_EQ(executor.memory_by_device().size(), static_cast<std::size_t>(stages));
    }
}

TEST(AutoPlacement, PutsLayersThatShareWeightsAnywhere) {
    for (const int stages : {2, 3}) {
        const AutoPlacement chosen =
            place_automatically(request_for(graph::testing::tied()), stages_of(stages, 2));
        EXPECT_EQ(chosen.plan.stages, stages);
        PlacedExecutor executor(chosen.request.model, &chosen.request.setup, chosen.request.options,
                                chosen.request.placement);
        const auto real = executor.memory_by_device();
        ASSERT_EQ(real.size(), chosen.plan.devices.size());
        for (std::size_t i = 0; i < real.size(); ++i)
            EXPECT_EQ(real[i].memory, chosen.plan.devices[i].memory);
    }
}

TEST(AutoPlacement, StaysWithinMemoryLimits) {
    const PlanRequest free = request_for(equal_layers(8));
    const AutoPlacement balanced = place_automatically(free, stages_of(2));
    PlanRequest request = free;
    request.placement.memory_limits["cpu:0"] = balanced.plan.devices[0].memory.total() * 6 / 10;
    const AutoPlacement chosen = place_automatically(request, stages_of(2));
    EXPECT_TRUE(chosen.plan.devices[0].fits());
    EXPECT_LT(chosen.plan.devices[0].layers.size(), balanced.plan.devices[0].layers.size());
    EXPECT_NE(chosen.reasons[0].find("memory limits"), std::string::npos) << chosen.reasons[0];

    request.placement.memory_limits = {{"", 1000}};
    try {
        place_automatically(request, stages_of(2));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
        EXPECT_NE(error.message().find("no placement fits"), std::string::npos) << error.message();
    }
}

TEST(AutoPlacement, ReplicasTakeWholeBatches) {
    PlanRequest request = request_for(equal_layers(2));
    AutoOptions options = stages_of(4);
    options.replicas = 2;
    options.stages = 2;
    const AutoPlacement chosen = place_automatically(request, options);
    EXPECT_EQ(chosen.request.options.batch, 64);
    EXPECT_EQ(chosen.plan.devices.size(), 4U);
    EXPECT_EQ(chosen.plan.devices[2].device, "cpu:2");
    EXPECT_EQ(chosen.plan.samples, 64);

    options.replicas = 3;
    try {
        place_automatically(request, options);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.where(), "devices");
    }
}

// Layers that cost next to nothing to compute would all go to one device for the time's sake.
TEST(AutoPlacement, FindsAPlacementWhereverThereIsOne) {
    const PlanRequest request = request_for(equal_layers(8, 64), 8);
    const std::size_t whole = plan_placement(request, {false, false}).devices[0].memory.total();
    for (int micro_batches : {1, 2})
        for (std::size_t percent = 44; percent < 80; percent += 4) {
            PlanRequest limited = request;
            limited.placement.memory_limits[""] = whole * percent / 100;
            EXPECT_NO_THROW(place_automatically(limited, stages_of(3, micro_batches)))
                << percent << " % of the memory, " << micro_batches << " micro-batches";
        }
}

}  // namespace
}  // namespace strata::parallel
