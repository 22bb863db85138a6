// What the planner says of a placement is what its executor then holds and sends.
#include "engine/parallel/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/core/error.h"
#include "engine/parallel/placed_executor.h"
#include "engine/parallel/placed_model.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/parallel/given_speed.h"

namespace strata::parallel {
namespace {

using graph::Model;
using graph::testing::batchless;
using graph::testing::branches;
using graph::testing::classic;
using graph::testing::cnn;
using graph::testing::layer;
using graph::testing::model_of;
using graph::testing::setup_of;

// In the order of the file, a stretch on each device.
Model placed(Model model, int devices) {
    const std::size_t count = model.layers.size();
    for (std::size_t i = 0; i < count; ++i)
        model.layers[i].device =
            "cpu:" + std::to_string(i * static_cast<std::size_t>(devices) / count);
    return model;
}

PlanRequest request_for(Model model, int replicas = 1, int micro_batches = 1,
                        ScheduleKind schedule = ScheduleKind::one_f_one_b) {
    PlanRequest request;
    request.model = std::move(model);
    request.speed = &testing::given_speed();
    request.setup = setup_of("Adam");
    request.options.batch = 24;
    request.options.other_batches = {7};
    request.placement.replicas = replicas;
    request.placement.micro_batches = micro_batches;
    request.placement.schedule = schedule;
    request.placement.threads = 1;
    return request;
}

constexpr PlanDetail structure{.time = false, .warnings = false};

std::vector<graph::DeviceMemory> real_memory(const PlanRequest& request) {
    if (!runs_on_one_device(request.model, request.placement))
        return PlacedExecutor(request.model, &request.setup, request.options, request.placement)
            .memory_by_device();
    graph::ExecutorOptions options = request.options;
    options.device_options.threads = request.placement.threads;
    return graph::Executor(request.model, &request.setup, options).memory_by_device();
}

struct Case {
    std::string name;
    PlanRequest request;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const std::vector<std::pair<std::string, Model>> models{{"classic", classic()},
                                                            {"cnn", cnn()},
                                                            {"branches", branches()},
                                                            {"tied", graph::testing::tied()}};
    for (const auto& [name, model] : models) {
        for (int replicas : {1, 2, 4})
            all.push_back({name + "_r" + std::to_string(replicas), request_for(model, replicas)});
        for (int stages : {2, 4})
            for (ScheduleKind kind :
                 {ScheduleKind::naive, ScheduleKind::gpipe, ScheduleKind::one_f_one_b})
                all.push_back({name + "_p" + std::to_string(stages) + "_" + name_of(kind),
                               request_for(placed(model, stages), 1, 4, kind)});
        all.push_back({name + "_2x2", request_for(placed(model, 2), 2, 3)});
        all.push_back({name + "_m3", request_for(model, 1, 3)});
        all.push_back({name + "_half", request_for(placed(model, 2), 2, 2)});
        all.back().request.setup.precision = "mixed_bfloat16";
        all.push_back({name + "_window", request_for(placed(model, 2), 1, 4)});
        all.back().request.setup.accumulates = true;
        all.back().request.accumulation = 3;
        for (graph::LayerNode& node : all.back().request.model.layers) node.recompute = true;
    }
    return all;
}

class PlannerMemory : public ::testing::TestWithParam<Case> {};

TEST_P(PlannerMemory, IsTheExecutorsArenaByteForByte) {
    const PlanRequest& request = GetParam().request;
    const PlacementPlan plan = plan_placement(request, structure);
    const std::vector<graph::DeviceMemory> real = real_memory(request);
    ASSERT_EQ(plan.devices.size(), real.size());
    for (std::size_t i = 0; i < real.size(); ++i) {
        EXPECT_EQ(plan.devices[i].device, real[i].device);
        for (std::size_t c = 0; c < device::category_count; ++c)
            EXPECT_EQ(plan.devices[i].memory.bytes[c], real[i].memory.bytes[c])
                << real[i].device << " " << device::name_of(static_cast<device::Category>(c));
    }
}

INSTANTIATE_TEST_SUITE_P(Placements, PlannerMemory, ::testing::ValuesIn(cases()),
                         [](const auto& each) {
                             std::string name = each.param.name;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Planner, KnowsWhatAProcessOfSeveralHolds) {
    for (int ranks : {2, 3}) {
        PlanRequest request = request_for(cnn());
        request.placement.ranks = ranks;
        const PlacementPlan plan = plan_placement(request, structure);
        const PlacedModel real(request.model, &request.setup, request.options, request.placement,
                               true, ProcessPlace{0, ranks});
        EXPECT_EQ(plan.devices[0].memory, real.part(0, 0).arena().budget());
        const PlacementPlan alone = plan_placement(request_for(cnn()), structure);
        EXPECT_LT(plan.devices[0].memory[device::Category::optimizer],
                  alone.devices[0].memory[device::Category::optimizer])
            << "the optimizer's state is shared";
    }
}

// 16 numbers go to cpu:1 and their gradients back, 24 samples of 4 bytes each.
Model two_dense() {
    Model model = model_of({layer("input", "InputLayer", {{"shape", {8}}}),
                            layer("hidden", "Dense", {{"units", 16}, {"activation", "relu"}}),
                            layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
    model.layers[2].device = "cpu:1";
    return model;
}

TEST(Planner, CountsWhatCrossesInAnUpdate) {
    PlanRequest request = request_for(two_dense(), 1, 4);
    request.setup.accumulates = true;
    request.accumulation = 3;
    const PlacementPlan plan = plan_placement(request, structure);
    ASSERT_EQ(plan.edges.size(), 1U);
    const EdgePlan& edge = plan.edges[0];
    EXPECT_EQ(edge.from_layer + " " + edge.to_layer, "hidden output");
    EXPECT_EQ(edge.from_device + " " + edge.to_device, "cpu:0 cpu:1");
    EXPECT_EQ(edge.forward_bytes, 3U * 24 * 16 * 4);
    EXPECT_EQ(edge.backward_bytes, 3U * 24 * 16 * 4);
    ASSERT_EQ(plan.links.size(), 2U);
    EXPECT_EQ(plan.links[0].bytes, edge.forward_bytes);
    EXPECT_EQ(plan.links[1].from_device, "cpu:1");
    EXPECT_EQ(plan.samples, 72);
    // Forward 2 x 8 x 16 and 2 x 16 x 10 a sample; backward the kernels' gradients as many, and
    // the second layer's input.
    EXPECT_EQ(plan.devices[0].flops, 72.0 * 2 * (2 * 8 * 16));
    EXPECT_EQ(plan.devices[1].flops, 72.0 * 3 * (2 * 16 * 10));
    EXPECT_EQ(plan.devices[1].layers, std::vector<std::string>{"output"});
}

TEST(Planner, SumsGradientsInARingOfReplicas) {
    const PlanRequest request = request_for(two_dense(), 4);
    const PlacementPlan plan = plan_placement(request, structure);
    ASSERT_EQ(plan.devices.size(), 8U);
    EXPECT_EQ(plan.devices[2].device, "cpu:2");
    std::size_t rings = 0, pipelines = 0;
    for (const LinkPlan& link : plan.links) {
        if (!link.sums) {
            ++pipelines;
            EXPECT_EQ(link.bytes, 6U * 16 * 4);
            continue;
        }
        ++rings;
        const std::size_t variables = link.from_device == "cpu:0" || link.from_device == "cpu:2" ||
                                              link.from_device == "cpu:4" ||
                                              link.from_device == "cpu:6"
                                          ? 8 * 16 + 16
                                          : 16 * 10 + 10;
        EXPECT_NEAR(static_cast<double>(link.bytes), 1.5 * 4.0 * static_cast<double>(variables),
                    1.5 * 128.0)
            << "2(N-1)/N of the gradients, with what alignment adds";
    }
    EXPECT_EQ(rings, 8U);
    EXPECT_EQ(pipelines, 8U);
}

// Each of the devices that hold a copy reads its part of the others' gradients and writes to them.
TEST(Planner, SumsTheGradientsOfSharedWeights) {
    Model model = graph::testing::tied();
    for (const char* name : {"mid_again", "sum", "output"})
        model.layers[static_cast<std::size_t>(model.index_of(name))].device = "cpu:1";
    PlanRequest request = request_for(model);
    const PlacementPlan plan = plan_placement(request, structure);
    std::size_t sums = 0;
    for (const LinkPlan& link : plan.links) {
        if (!link.sums) continue;
        ++sums;
        EXPECT_EQ(link.bytes, (5U * 5 + 5) * 4) << "half of it read, half of it written";
    }
    EXPECT_EQ(sums, 2U);
    const auto optimizer = [](const DevicePlan& device) {
        return device.memory[device::Category::optimizer];
    };
    request.model = model = graph::testing::tied();
    const PlacementPlan alone = plan_placement(request, structure);
    EXPECT_GT(optimizer(plan.devices[0]) + optimizer(plan.devices[1]), optimizer(alone.devices[0]))
        << "each keeps Adam's moments of its copy";
}

TEST(Planner, MarksEdgesThatShareOneCopy) {
    Model model = branches();
    for (graph::LayerNode& node : model.layers)
        if (node.name != "input" && node.name != "stem" && node.name != "norm" &&
            node.name != "act")
            node.device = "cpu:1";
    const PlacementPlan plan = plan_placement(request_for(std::move(model)), structure);
    ASSERT_EQ(plan.edges.size(), 3U) << "act is read by left, right and twice";
    EXPECT_FALSE(plan.edges[0].shared);
    EXPECT_TRUE(plan.edges[1].shared);
    EXPECT_TRUE(plan.edges[2].shared);
    ASSERT_EQ(plan.links.size(), 2U);
    EXPECT_EQ(plan.links[0].bytes, plan.edges[0].forward_bytes) << "it crosses once";
    EXPECT_EQ(plan.edges[0].forward_bytes, 24U * 6 * 6 * 4 * 4);
}

TEST(Planner, RefusesWhatTheExecutorRefuses) {
    PlanRequest request = request_for(two_dense());
    request.placement.devices = {"cpu:0", "cpu:1", "cpu:2"};
    try {
        plan_placement(request, structure);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.where(), "placement.devices");
    }
}

// ---- time, on a machine of given speed

constexpr PlanDetail timed{.time = true, .warnings = false};

Model eight_layers(int width = 256) {
    std::vector<Json> layers{layer("input", "InputLayer", {{"shape", {width}}})};
    for (int i = 0; i < 8; ++i)
        layers.push_back(layer("equal_" + std::to_string(i), "Dense",
                               {{"units", width}, {"activation", "relu"}}));
    layers.push_back(layer("output", "Dense", {{"units", 4}, {"activation", "softmax"}}));
    return model_of(layers);
}

// A schedule whose blocks take longer is never shorter: it lies between those of equal stages as
// short as the shortest block and as long as the longest.
void expect_between_equal_stages(const PlacementPlan& plan, ScheduleKind kind, int micro_batches) {
    constexpr double never = std::numeric_limits<double>::infinity();
    double shortest[2] = {never, never}, longest[2] = {0.0, 0.0};  // forward, backward
    for (const auto& blocks : plan.timeline.devices)
        for (const TimelineBlock& block : blocks) {
            const double seconds = block.end - block.begin;
            double& least = shortest[block.task.backward ? 1 : 0];
            double& most = longest[block.task.backward ? 1 : 0];
            least = std::min(least, seconds);
            most = std::max(most, seconds);
        }
    const int devices = static_cast<int>(plan.timeline.devices.size());
    // A device works for m (f + b), which is all but its idle share.
    const double units = micro_batches / (1.0 - idle_share_formula(kind, devices, micro_batches));
    const double handed_over = testing::given_speed().links_.copy.latency;
    constexpr double rounding = 1e-9;
    EXPECT_GE(plan.timeline.length, units * (shortest[0] + shortest[1]) * (1.0 - rounding))
        << name_of(kind);
    EXPECT_LE(plan.timeline.length,
              units * (longest[0] + longest[1] + 2.0 * handed_over) * (1.0 + rounding))
        << name_of(kind);
}

TEST(PlannerTime, FollowsTheSchedule) {
    for (ScheduleKind kind :
         {ScheduleKind::naive, ScheduleKind::gpipe, ScheduleKind::one_f_one_b}) {
        const PlacementPlan plan =
            plan_placement(request_for(placed(eight_layers(), 2), 1, 8, kind), timed);
        ASSERT_TRUE(plan.timed);
        ASSERT_EQ(plan.timeline.devices.size(), 2U);
        for (std::size_t d = 0; d < 2; ++d) {
            EXPECT_EQ(plan.timeline.devices[d].size(), 16U);
            EXPECT_DOUBLE_EQ(plan.devices[d].busy_seconds, plan.timeline.busy(d));
        }
        EXPECT_DOUBLE_EQ(plan.devices[0].work_share + plan.devices[1].work_share, 1.0);
        EXPECT_EQ(plan.idle_share_formula, idle_share_formula(kind, 2, 8));
        expect_between_equal_stages(plan, kind, 8);
        EXPECT_DOUBLE_EQ(plan.idle_share, plan.timeline.idle_share());
        EXPECT_GT(plan.step.batches, plan.timeline.length) << "and the order to begin";
    }
}

TEST(PlannerTime, OrdersTakeTimeAndOneDeviceNeedsNone) {
    const double order = testing::given_speed().links_.order;
    const PlacementPlan one = plan_placement(request_for(eight_layers()), timed);
    EXPECT_DOUBLE_EQ(one.step.batches, one.timeline.length);
    const PlacementPlan two = plan_placement(request_for(eight_layers(), 2), timed);
    EXPECT_GE(two.step.update, order) << "the update is an order of its own";
    EXPECT_DOUBLE_EQ(two.step.batches, two.timeline.length + order);
}

// Batches whose blocks take longer than a thread looks before it sleeps: each wakes the next.
TEST(PlannerTime, StagesThatWaitLongSleepAndAreWoken) {
    const auto longest_wait = [](const Model& model) {
        PlanRequest request = request_for(placed(model, 2), 1, 2);
        const LinkSpeed& links = testing::given_speed().links_;
        testing::GivenSpeed at_once;
        at_once.links_.copy.latency = at_once.links_.awake = at_once.links_.telling = 0.0;
        const double woken = plan_placement(request, timed).timeline.length;
        request.speed = &at_once;
        const double waiting = woken - plan_placement(request, timed).timeline.length;
        EXPECT_GT(waiting, 0.0);
        return waiting / links.copy.latency;
    };
    // Four blocks in turn, with two of another micro-batch between: at least two are handed over.
    EXPECT_GE(longest_wait(eight_layers(1024)), 2.0);
    EXPECT_LT(longest_wait(eight_layers(16)), 0.5) << "found awake";
}

TEST(PlannerTime, FollowsThePaceOfTheCores) {
    PlanRequest request = request_for(eight_layers(), 2);
    const PlacementPlan even = plan_placement(request, timed);
    testing::GivenSpeed uneven;
    uneven.slowdown_ = 1.5;
    request.speed = &uneven;
    const PlacementPlan slow = plan_placement(request, timed);
    EXPECT_DOUBLE_EQ(slow.step.batches, 1.5 * even.step.batches);
    EXPECT_DOUBLE_EQ(slow.step.all_reduce, 1.5 * even.step.all_reduce);
    EXPECT_DOUBLE_EQ(slow.step.update, 1.5 * even.step.update);
    EXPECT_DOUBLE_EQ(slow.idle_share, even.idle_share);
    EXPECT_DOUBLE_EQ(slow.timeline.length, 1.5 * even.timeline.length);
    EXPECT_DOUBLE_EQ(slow.devices[0].busy_seconds, 1.5 * even.devices[0].busy_seconds);
}

// The picture of a batch and the time of a step are of one prediction.
TEST(PlannerTime, TheTimelineIsAsLongAsItsStep) {
    for (const int threads : {1, 1000}) {  // fewer than there are cores, and more
        PlanRequest request = request_for(placed(eight_layers(), 2), 1, 4);
        request.placement.threads = threads;
        const PlacementPlan plan = plan_placement(request, timed);
        const double order = testing::given_speed().links_.order;
        EXPECT_DOUBLE_EQ(plan.step.batches, plan.timeline.length + order);
        for (const auto& blocks : plan.timeline.devices)
            EXPECT_LE(blocks.back().end, plan.timeline.length * (1.0 + 1e-12));
    }
}

TEST(PlannerTime, IsMeasuredWhereNoSpeedIsGiven) {
    PlanRequest request = request_for(placed(eight_layers(64), 2), 1, 2);
    request.speed = nullptr;
    const PlacementPlan plan = plan_placement(request, timed);
    ASSERT_TRUE(plan.timed);
    EXPECT_GT(plan.step.batches, plan.timeline.length) << "and the order to begin";
    EXPECT_GT(plan.step.update, 0.0);
    EXPECT_EQ(plan_placement(request, timed).step.total(), plan.step.total()) << "measured once";
}

TEST(PlannerTime, AWindowSharesTheUpdate) {
    PlanRequest request = request_for(placed(eight_layers(), 2), 1, 4);
    request.setup.accumulates = true;
    const PlacementPlan one = plan_placement(request, timed);
    request.accumulation = 3;
    const PlacementPlan three = plan_placement(request, timed);
    EXPECT_DOUBLE_EQ(three.step.batches, 3.0 * one.step.batches);
    EXPECT_DOUBLE_EQ(three.step.update, one.step.update);
    EXPECT_EQ(three.samples, 3 * one.samples);
    EXPECT_LT(three.seconds_per_sample(), one.seconds_per_sample());
}

TEST(PlannerTime, ReplicasAddTheSumOfTheirGradients) {
    const PlacementPlan one = plan_placement(request_for(eight_layers()), timed);
    EXPECT_EQ(one.step.all_reduce, 0.0);
    EXPECT_NEAR(one.idle_share, 0.0, 1e-12);
    EXPECT_EQ(one.idle_share_formula, 0.0);
    EXPECT_EQ(one.devices[0].work_share, 1.0);
    const PlacementPlan two = plan_placement(request_for(eight_layers(), 2), timed);
    EXPECT_GT(two.step.all_reduce, 0.0);
    EXPECT_LT(two.timeline.length, one.timeline.length) << "half the samples each";
    for (const LinkPlan& link : two.links) EXPECT_GT(link.seconds, 0.0);
}

TEST(PlannerTime, MoreMicroBatchesWaitLess) {
    double before = 1.0;
    for (int m : {1, 2, 4, 8}) {
        const PlacementPlan plan =
            plan_placement(request_for(placed(eight_layers(), 2), 1, m), timed);
        EXPECT_LT(plan.idle_share, before) << m;
        before = plan.idle_share;
    }
}

}  // namespace
}  // namespace strata::parallel
