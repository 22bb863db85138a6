// Warnings of a plan and their fixes: each fix, carried out, does what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/core/error.h"
#include "engine/parallel/auto_placement.h"
#include "engine/parallel/placed_executor.h"
#include "engine/parallel/planner.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/parallel/given_speed.h"

namespace strata::parallel {
namespace {

using graph::Model;
using graph::testing::cnn;
using graph::testing::setup_of;

Model halves(Model model) {
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        model.layers[i].device = i < model.layers.size() / 2 ? "cpu:0" : "cpu:1";
    return model;
}

PlanRequest request_for(Model model) {
    PlanRequest request;
    request.model = std::move(model);
    request.speed = &testing::given_speed();
    request.setup = setup_of("Adam");
    request.options.batch = 64;
    request.options.other_batches = {20};
    request.placement.threads = 1;
    request.placement.micro_batches = 2;
    return request;
}

constexpr PlanDetail untimed{.time = false, .warnings = true};

const PlanWarning* misfit_of(const PlacementPlan& plan, const std::string& device) {
    for (const PlanWarning& warning : plan.warnings)
        if (warning.device == device && warning.too_much > 0) return &warning;
    return nullptr;
}

// A limit of a share of what the device needs now.
PlanRequest limited(PlanRequest request, const std::string& device, double share) {
    for (const DevicePlan& plan : plan_placement(request, {false, false}).devices)
        if (plan.device == device)
            request.placement.memory_limits[device] =
                static_cast<std::size_t>(share * static_cast<double>(plan.memory.total()));
    return request;
}

TEST(PlanAdvice, SaysByHowMuchADeviceIsTooSmall) {
    const PlanRequest request = limited(request_for(halves(cnn())), "cpu:0", 0.7);
    const PlacementPlan plan = plan_placement(request, untimed);
    const PlanWarning* warning = misfit_of(plan, "cpu:0");
    ASSERT_NE(warning, nullptr);
    EXPECT_FALSE(plan.devices[0].fits());
    EXPECT_TRUE(plan.devices[1].fits());
    EXPECT_EQ(warning->too_much, plan.devices[0].memory.total() - plan.devices[0].memory_limit);
    EXPECT_NE(warning->text.find("more than its"), std::string::npos) << warning->text;
    EXPECT_EQ(misfit_of(plan, "cpu:1"), nullptr);
    EXPECT_THROW(PlacedExecutor(request.model, &request.setup, request.options, request.placement),
                 Error)
        << "what the planner warns of is what the run would meet";
}

TEST(PlanAdvice, EveryFixDoesWhatItSays) {
    const PlanRequest request = limited(request_for(halves(cnn())), "cpu:0", 0.7);
    const PlacementPlan plan = plan_placement(request, untimed);
    const PlanWarning* warning = misfit_of(plan, "cpu:0");
    ASSERT_NE(warning, nullptr);
    ASSERT_GE(warning->fixes.size(), 4U);
    bool batch = false, precision = false, recompute = false, moved = false;
    for (const PlanFix& fix : warning->fixes) {
        SCOPED_TRACE(fix.text);
        const PlanRequest changed = with_change(request, fix.change);
        EXPECT_LT(fix.bytes, plan.devices[0].memory.total());
        const auto make = [&] {
            return PlacedExecutor(changed.model, &changed.setup, changed.options, changed.placement)
                .memory_by_device();
        };
        if (fix.fits)
            EXPECT_EQ(make()[0].memory.total(), fix.bytes);
        else
            EXPECT_THROW(make(), Error);
        batch = batch || fix.change.batch_size.has_value();
        precision = precision || fix.change.precision.has_value();
        recompute = recompute || !fix.change.recompute.empty();
        moved = moved || !fix.change.devices.empty();
    }
    EXPECT_TRUE(batch && precision && recompute && moved);
    EXPECT_TRUE(warning->fixes.front().fits) << "those that help come first";
}

TEST(PlanAdvice, ASmallerBatchKeepsTheWindow) {
    PlanRequest request = request_for(halves(cnn()));
    request.accumulation = 3;
    request.setup.accumulates = true;
    PlanChange change;
    change.batch_size = 16;
    change.accumulation = 12;
    const PlanRequest changed = with_change(request, change);
    EXPECT_EQ(changed.options.batch * changed.accumulation,
              request.options.batch * request.accumulation);
    EXPECT_EQ(changed.options.other_batches, std::vector<std::int64_t>{4});
}

TEST(PlanAdvice, ASharedOptimizerIsAFixOfReplicas) {
    PlanRequest request = request_for(cnn());
    request.placement.replicas = 2;
    request.placement.micro_batches = 1;
    request.placement.sharded_optimizer = false;
    const PlacementPlan before = plan_placement(request, {false, false});
    request.placement.memory_limits[""] = before.devices[0].memory.total() - 1;
    const PlacementPlan plan = plan_placement(request, untimed);
    const PlanWarning* warning = misfit_of(plan, "cpu:0");
    ASSERT_NE(warning, nullptr);
    const auto fix =
        std::find_if(warning->fixes.begin(), warning->fixes.end(),
                     [](const PlanFix& f) { return f.change.sharded_optimizer.has_value(); });
    ASSERT_NE(fix, warning->fixes.end());
    EXPECT_TRUE(fix->fits);
    const PlanWarning* other = misfit_of(plan, "cpu:1");
    ASSERT_NE(other, nullptr) << "each device is named";
    EXPECT_EQ(other->fixes.size(), warning->fixes.size()) << "what helps one helps its replica";
}

// Its mean and variance are of the samples that go through together.
TEST(PlanAdvice, SmallerBatchesOfNormalizationAreTold) {
    const Model model = graph::testing::model_of(
        {graph::testing::layer("input", "InputLayer", {{"shape", {64}}}),
         graph::testing::layer("wide", "Dense", {{"units", 512}}),
         graph::testing::layer("norm", "BatchNormalization"),
         graph::testing::layer("out", "Dense", {{"units", 4}, {"activation", "softmax"}})});
    PlanRequest request = limited(request_for(model), "cpu:0", 0.9);
    request.placement.micro_batches = 1;
    request.options.batch = 64;
    request.placement.memory_limits["cpu:0"] =
        plan_placement(request, {false, false}).devices[0].memory.total() - 1;
    const PlacementPlan plan = plan_placement(request, untimed);
    const PlanWarning* warning = misfit_of(plan, "cpu:0");
    ASSERT_NE(warning, nullptr);
    const auto fix = std::find_if(warning->fixes.begin(), warning->fixes.end(),
                                  [](const PlanFix& f) { return f.change.batch_size.has_value(); });
    ASSERT_NE(fix, warning->fixes.end());
    EXPECT_NE(fix->text.find("BatchNormalization then normalises by " +
                             std::to_string(*fix->change.batch_size) + " samples"),
              std::string::npos)
        << fix->text;
}

TEST(PlanAdvice, CoresAndMemoryAreThoseOfAllProcesses) {
    PlanRequest request = request_for(cnn());
    request.placement.micro_batches = 1;
    request.placement.threads = 0;
    request.placement.ranks = request.sharing = 1024;
    const PlacementPlan plan = plan_placement(request, untimed);
    EXPECT_EQ(plan.devices[0].threads, 1);
    const auto told = std::find_if(plan.warnings.begin(), plan.warnings.end(), [](const auto& w) {
        return w.text.find("1,024 CPU devices of 1,024 processes with 1,024 threads share") == 0;
    });
    EXPECT_NE(told, plan.warnings.end());
}

// Half of the time each stage waits for the other's only micro-batch.
TEST(PlanAdvice, AChangeOfMicroBatchesTellsHowLongDevicesThenWait) {
    PlanRequest request = request_for(halves(cnn()));
    request.placement.micro_batches = 1;
    const PlacementPlan plan = plan_placement(request);
    const auto waits = std::find_if(plan.warnings.begin(), plan.warnings.end(),
                                    [](const PlanWarning& w) { return w.idle_share > 0.0; });
    ASSERT_NE(waits, plan.warnings.end());
    EXPECT_EQ(waits->idle_share, plan.idle_share);
    for (const PlanFix& fix : waits->fixes) {
        const PlacementPlan then = plan_placement(with_change(request, fix.change));
        EXPECT_NEAR(fix.idle_share, then.idle_share, 1e-9);
        EXPECT_LT(fix.slowdown, 1.0);
    }
}

Model eight_layers() {
    std::vector<Json> layers{graph::testing::layer("input", "InputLayer", {{"shape", {256}}})};
    for (int i = 0; i < 8; ++i)
        layers.push_back(graph::testing::layer("equal_" + std::to_string(i), "Dense",
                                               {{"units", 256}, {"activation", "relu"}}));
    layers.push_back(
        graph::testing::layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}}));
    return graph::testing::model_of(layers);
}

// A limit that three stages meet, and two do not.
PlanRequest limited_to_three_stages() {
    PlanRequest request = request_for(eight_layers());
    request.placement.micro_batches = 1;
    request.placement.memory_limits[""] =
        plan_placement(request, {false, false}).devices[0].memory.total() * 42 / 100;
    return request;
}

TEST(PlanAdvice, AsManyDevicesAsAreNeededAreAFix) {
    const PlanRequest request = limited_to_three_stages();
    const auto spread_of = [](const PlanRequest& asked) {
        const PlacementPlan plan = plan_placement(asked, untimed);
        const PlanWarning* warning = misfit_of(plan, "cpu:0");
        EXPECT_NE(warning, nullptr);
        std::set<std::string> devices;
        for (const PlanFix& fix : warning->fixes)
            for (const auto& [layer, device] : fix.change.devices)
                if (fix.fits) devices.insert(device);
        return devices;
    };
    EXPECT_EQ(spread_of(request), (std::set<std::string>{"cpu:1", "cpu:2"})) << "from one";
    PlanRequest two = request;
    for (std::size_t i = 5; i < two.model.layers.size(); ++i) two.model.layers[i].device = "cpu:1";
    EXPECT_TRUE(spread_of(two).contains("cpu:2")) << "from two";
    PlanRequest copies = request;
    copies.placement.replicas = 2;
    set_batch(copies, 2 * request.options.batch);
    EXPECT_FALSE(spread_of(copies).empty()) << "of each of two copies, which share the optimizer";
}

TEST(PlanAdvice, WhereDevicesAreTooFewItSaysHowManyWouldDo) {
    const PlanRequest request = limited_to_three_stages();
    const auto hint_of = [&](const AutoOptions& options) {
        try {
            place_automatically(request, options);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
            return error.hint();
        }
        return std::string();
    };
    EXPECT_EQ(hint_of({{"cpu:0"}}).find("It fits on 3 devices; for fewer, use"), 0U);
    EXPECT_EQ(hint_of({{"cpu:0", "cpu:1"}, 1}).find("It fits on 3 devices"), 0U);
    EXPECT_EQ(hint_of({{"cpu:0", "cpu:1"}, 1, 2}).find("Use a smaller"), 0U) << "two were wanted";
}

TEST(PlanAdvice, TellsOfUnevenWorkAndOfBetterCuts) {
    Model model = eight_layers();
    model.layers.back().device = "cpu:1";
    PlanRequest request = request_for(model);
    request.placement.micro_batches = 8;
    const auto uneven_of = [](const PlacementPlan& plan) {
        return std::find_if(plan.warnings.begin(), plan.warnings.end(), [](const PlanWarning& w) {
            return w.text.find("of the work of 2 devices") != std::string::npos;
        });
    };
    const PlacementPlan plan = plan_placement(request);
    const auto uneven = uneven_of(plan);
    ASSERT_NE(uneven, plan.warnings.end());
    EXPECT_EQ(uneven->device, "cpu:0");
    ASSERT_EQ(uneven->fixes.size(), 1U);
    const PlanFix& fix = uneven->fixes[0];
    EXPECT_LT(fix.slowdown, 1.0) << "one device did nearly all";
    const PlacementPlan better = plan_placement(with_change(request, fix.change));
    EXPECT_LT(better.devices[0].work_share, 0.65);
    EXPECT_EQ(better.devices[0].memory.total(), fix.bytes);
    EXPECT_EQ(uneven_of(better), better.warnings.end());
}

// A batch of 64 in 70: one is sent for each sample, none for the others.
TEST(PlanAdvice, TellsOfEmptyMicroBatchesWhichSendNothing) {
    PlanRequest request = request_for(halves(cnn()));
    request.placement.micro_batches = 70;
    const PlacementPlan plan = plan_placement(request, {});
    EXPECT_TRUE(std::any_of(plan.warnings.begin(), plan.warnings.end(), [](const auto& warning) {
        return warning.text == "6 of 70 micro-batches are empty: a batch has 64 samples";
    }));
    const LinkSpeed& links = testing::given_speed().links({});
    ASSERT_FALSE(plan.links.empty());
    for (const LinkPlan& link : plan.links)
        EXPECT_DOUBLE_EQ(link.seconds, static_cast<double>(link.bytes) / links.copy.bytes_per_s +
                                           64.0 * links.awake);
    request.placement.micro_batches = 64;
    for (const PlanWarning& warning : plan_placement(request, {}).warnings)
        EXPECT_EQ(warning.text.find("are empty"), std::string::npos) << warning.text;
}

TEST(PlanAdvice, IsSilentWhereAllIsWell) {
    PlanRequest request = request_for(cnn());
    request.placement.micro_batches = 1;
    EXPECT_TRUE(plan_placement(request, untimed).warnings.empty());
}

}  // namespace
}  // namespace strata::parallel
