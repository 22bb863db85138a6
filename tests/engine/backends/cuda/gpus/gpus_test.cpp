// GPUs beside CPU devices, in several processes and where one of them fails: emulated, eight of
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "engine/core/error.h"
#include "engine/graph/runtime.h"
#include "engine/parallel/device_groups.h"
#include "engine/parallel/link_speed.h"
#include "engine/parallel/planner.h"
#include "tests/engine/parallel/in_world.h"

namespace strata::parallel {
namespace {

using graph::Model;
using graph::TrainingSetup;
using graph::testing::batchless;
using graph::testing::setup_of;
using ::testing::Contains;
using testing::Course;
using ::testing::HasSubstr;
using testing::Layout;
using testing::layout;
using Steps = testing::Run;

// Before the runtime is used for the first time.
class Gpus : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        setenv("STRATA_CUDA_PLUGIN", STRATA_EMULATED_PLUGIN, 1);
        setenv("STRATA_EMULATED_GPUS", "8", 1);
        setenv("STRATA_EMULATED_LATEST_FIRST", "1", 1);
    }
    static Model on(Model model, const std::vector<std::string>& devices) {
        for (std::size_t i = 0; i < model.layers.size(); ++i)
            model.layers[i].device = devices[i * devices.size() / model.layers.size()];
        return model;
    }
    static Course on_one_cpu(const TrainingSetup& setup, const Steps& run) {
        graph::Executor one(testing::on_one_device(batchless()), &setup,
                            testing::one_thread(run.batch));
        return testing::course_of(one, run);
    }
    Steps run_{.steps = 13};
    TrainingSetup setup_ = setup_of("SGD", {{"momentum", 0.9}});
};

// Sums of other orders: of CPU and GPU.
constexpr double across_kinds = 2e-5;

TEST_F(Gpus, WorkWithCpuDevicesInOnePipeline) {
    const Course expected = on_one_cpu(setup_, run_);
    using enum ScheduleKind;
    for (const std::vector<std::string>& devices : std::vector<std::vector<std::string>>{
             {"cpu:0", "cuda:0"}, {"cuda:0", "cpu:0"}, {"cuda:0", "cuda:1", "cpu:0"}})
        for (const ScheduleKind schedule : {naive, gpipe, one_f_one_b})
            for (const int replicas : {1, 2}) {
                Layout way = layout(replicas, static_cast<int>(devices.size()), schedule, 3);
                SCOPED_TRACE(way.name + " from " + devices.front());
                PlacedExecutor many(on(batchless(), devices), &setup_,
                                    testing::one_thread(run_.batch), way.placement);
                testing::expect_same(testing::course_of(many, run_), expected, across_kinds);
            }
}

TEST_F(Gpus, PredictAndEvaluateInAPipelineAsOneDevice) {
    graph::Executor one(testing::on_one_device(batchless()), &setup_, testing::one_thread(12));
    PlacedExecutor many(on(batchless(), {"cuda:0", "cuda:1", "cpu:0"}), &setup_,
                        testing::one_thread(12), layout(1, 3, ScheduleKind::gpipe, 4).placement);
    const testing::Batch data = testing::batch_for(batchless(), 12, 9);
    for (graph::ModelExecutor* executor :
         {static_cast<graph::ModelExecutor*>(&one), static_cast<graph::ModelExecutor*>(&many)})
        executor->initialize(5);
    for (const std::int64_t n : {12, 5, 1}) {
        EXPECT_NEAR(many.evaluate(data.inputs.data(), data.labels.data(), n).loss_sum,
                    one.evaluate(data.inputs.data(), data.labels.data(), n).loss_sum, 1e-4);
        const auto width = static_cast<std::size_t>(
            n *
            one.report().layers[static_cast<std::size_t>(one.report().output)].output->elements());
        std::vector<float> found(width), expected(width);
        many.predict(data.inputs.data(), n, found.data());
        one.predict(data.inputs.data(), n, expected.data());
        EXPECT_LE(strata::testing::distance(found, expected), 1e-5);
    }
}

TEST_F(Gpus, CopiesOfAPartAreOfOneKind) {
    PlacementOptions placement = layout(2, 1, ScheduleKind::naive, 1).placement;
    placement.devices = {"cuda:0", "cpu:0"};
    try {
        PlacedExecutor(batchless(), &setup_, testing::one_thread(4), placement);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::unsupported);
        EXPECT_THAT(error.message(), HasSubstr("'cuda:0' and on 'cpu:0'"));
    }
}

// In the devices' own time, once for a list of them; the emulator's speed means nothing.
TEST_F(Gpus, TheirLinksAreMeasuredOnThem) {
    const std::vector<std::string> two{"cuda:0", "cuda:1"};
    const LinkSpeed& links = measured_links(two);
    EXPECT_EQ(&links, &measured_links(two));
    EXPECT_NE(&links, &measured_links(2)) << "not the CPU's";
    for (const Link& link : {links.copy, links.sum}) {
        EXPECT_GT(link.bytes_per_s, 0.0);
        EXPECT_GT(link.latency, 0.0);
    }
    EXPECT_EQ(links.telling, 0.0) << "no thread is woken";
    EXPECT_EQ(&measured_links(std::vector<std::string>{"cuda:0", "cpu:0"}), &measured_links(2));
    EXPECT_EQ(&measured_links(std::vector<std::string>{"cuda:0"}), &measured_links(1));
}

TEST_F(Gpus, APlanOfReplicasCountsTheirLink) {
    PlanRequest request;
    request.model = batchless();
    request.setup = setup_;
    request.options.batch = 12;
    request.placement.replicas = 2;
    request.placement.devices = {"cuda:0", "cuda:1"};
    const PlacementPlan plan = plan_placement(request, {.time = true, .warnings = false});
    const LinkSpeed& links = measured_links(request.placement.devices);
    ASSERT_FALSE(plan.links.empty());
    for (const LinkPlan& link : plan.links)
        EXPECT_DOUBLE_EQ(link.seconds, static_cast<double>(link.bytes) / links.sum.bytes_per_s);
    EXPECT_GT(plan.step.all_reduce, 0.0);
}

// Each process has GPUs of its own; the optimizer's state is shared out over all of them, or whole.
TEST_F(Gpus, OfSeveralProcessesTrainAsOneDevice) {
    for (const int processes : {2, 3})
        for (const int replicas : {1, 2})
            for (const bool sharded : {true, false}) {
                const testing::WorldCase c{
                    "", processes, layout(replicas, 1, ScheduleKind::one_f_one_b, 1), sharded};
                SCOPED_TRACE(std::to_string(processes) + " processes of " +
                             std::to_string(replicas) + (sharded ? ", sharded" : ""));
                testing::expect_world_as_one(
                    c, batchless(), setup_, run_, {across_kinds, 10 * across_kinds, 2e-4},
                    [replicas](PlacementOptions& placement, int rank) {
                        for (int r = 0; r < replicas; ++r)
                            placement.devices.push_back("cuda:" +
                                                        std::to_string(rank * replicas + r));
                    });
            }
}

// It is named by the processes' own group, and nobody waits for a sum that cannot come.
TEST_F(Gpus, AProcessThatDoesNotComeEndsTheOthers) {
    const std::vector<std::string> messages = testing::in_world(
        2,
        [&](Communicator& world) {
            PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
            placement.devices = {"cuda:" + std::to_string(world.rank())};
            PlacedExecutor many(batchless(), &setup_, testing::one_thread(12), placement, &world);
            testing::join_others(many, world);
            many.initialize(5);
            if (world.rank() == 1)
                throw Error(ErrorCode::interrupted, "this one is gone", "rank 1");
            const testing::Batch data = testing::batch_for(batchless(), 12, 1);
            ops::StepScalars scalars = graph::testing::scalars_of(0.1F);
            scalars.last_in_window = true;
            many.accumulate(data.inputs.data(), data.labels.data(), 12, scalars);
            many.update(12, scalars);
        },
        std::chrono::seconds(5));
    EXPECT_THAT(messages[0], HasSubstr("rank 1"));
    EXPECT_THAT(messages[0], HasSubstr("this one is gone"));
}

// NCCL's own wait would have no end, and tell nobody's name.
TEST_F(Gpus, JoiningEndsWhereAProcessHasGone) {
    std::vector<std::byte> id;
    std::atomic<bool> knows_id = false;  // rank 0, which would not join without
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<std::string> messages = testing::in_world(2, [&](Communicator& world) {
        PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
        placement.devices = {"cuda:" + std::to_string(world.rank())};
        PlacedExecutor many(batchless(), &setup_, testing::one_thread(12), placement, &world);
        std::vector<std::byte> ids = many.make_group_ids();
        ids.resize(128);
        world.broadcast(ids, 0);
        if (world.rank() == 1) {
            id = ids;
            while (!knows_id) std::this_thread::yield();
            throw Error(ErrorCode::interrupted, "this one is gone", "rank 1");
        }
        knows_id = true;
        many.join_others(ids);
    });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
    EXPECT_THAT(messages[0], HasSubstr("rank 1 has ended: "));
    EXPECT_THAT(messages[0], HasSubstr("this one is gone"));
    // The wait of the emulator's joining ends.
    const auto device = graph::runtime().open("cuda:1", {});
    std::array<device::Device*, 1> devices{device.get()};
    device::GroupPlace place;
    place.id = id;
    place.ranks = {1};
    place.size = 2;
    EXPECT_EQ(graph::runtime().backend(*device).join_group(devices, place)->size(), 2);
}

TEST_F(Gpus, ShowWhenEachStageWorked) {
    PlacedExecutor many(on(batchless(), {"cuda:0", "cuda:1"}), &setup_, testing::one_thread(12),
                        layout(1, 2, ScheduleKind::one_f_one_b, 4).placement);
    testing::course_of(many, {.steps = 2});
    const std::vector<MeasuredBlock>& blocks = many.timeline();
    ASSERT_EQ(blocks.size(), 2U * 4U * 2U);  // stages, micro-batches, both ways
    std::map<int, double> ends;
    for (const MeasuredBlock& block : blocks) {
        EXPECT_GE(block.begin, ends[block.device]) << "one after the other on a device";
        EXPECT_GE(block.end, block.begin);
        ends[block.device] = block.end;
    }
}

class Exchange {
public:
    Exchange(Communicator* world, const PlacementOptions& placement,
             std::optional<std::chrono::milliseconds> deadline, const TrainingSetup& setup)
        : model_(batchless(), &setup, testing::one_thread(12), placement, true,
                 world == nullptr ? ProcessPlace{} : ProcessPlace{world->rank(), world->size()}),
          groups_(model_, world, deadline) {
        std::vector<std::byte> ids = groups_.make_ids();
        if (world != nullptr) {
            ids.resize(128);
            world->broadcast(ids, 0);
            groups_.join_others(ids);
        }
        model_.initialize(5);
    }
    DeviceGroups& groups() { return groups_; }
    DevicePart& part() { return model_.part(0, 0); }

    // The sums of this process's copy, which is not waited for.
    void queue() {
        groups_.call(0, [this](device::DeviceGroup& copies) {
            copies.all_reduce(
                0, static_cast<float*>(part().arena().base(device::Category::gradients)), 16);
        });
        groups_.join_exchange(0, 0);
    }
    void add_up() {
        queue();
        groups_.settle(0, 0);
    }

private:
    PlacedModel model_;
    DeviceGroups groups_;
};

// The processes have all come, and then one of them never calls.
TEST_F(Gpus, WaitForAnotherUntilTheDeadline) {
    const std::vector<std::string> messages = testing::in_world(2, [&](Communicator& world) {
        PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
        placement.devices = {"cuda:" + std::to_string(world.rank())};
        Exchange exchange(&world, placement, std::chrono::milliseconds(300), setup_);
        if (world.rank() == 0) exchange.add_up();
        world.barrier();
    });
    EXPECT_THAT(messages[0], HasSubstr("the other GPUs did not come to the exchange within"));
}

// It ends with an exchange queued to which the other one does not come: a fault that is noticed
// elsewhere. NCCL would wait for ever, the emulator for 20 s.
TEST_F(Gpus, EndWithoutThoseWhoHaveLeft) {
    const std::vector<std::string> messages = testing::in_world(2, [&](Communicator& world) {
        PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
        placement.devices = {"cuda:" + std::to_string(world.rank())};
        Exchange exchange(&world, placement, std::chrono::hours(1), setup_);
        if (world.rank() == 0) {
            exchange.queue();
            const auto begin = std::chrono::steady_clock::now();
            exchange.groups().end();
            EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
        }
        world.barrier();
    });
    EXPECT_THAT(messages, ::testing::Each(""));
}

// An event before the exchange says nothing of it.
TEST_F(Gpus, AWaitForWhatCameBeforeLeavesTheExchangeToTheEnd) {
    const std::vector<std::string> messages = testing::in_world(2, [&](Communicator& world) {
        PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
        placement.devices = {"cuda:" + std::to_string(world.rank())};
        Exchange exchange(&world, placement, std::chrono::hours(1), setup_);
        if (world.rank() == 0) {
            device::Device& device = exchange.part().device();
            const auto before = device.make_event();
            device.record(before.get());
            exchange.queue();
            exchange.groups().wait(0, 0, before.get());
            const auto begin = std::chrono::steady_clock::now();
            exchange.groups().end();
            device.synchronize();
            EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
        }
        world.barrier();
    });
    EXPECT_THAT(messages, ::testing::Each(""));
}

// Long before the deadline.
TEST_F(Gpus, AProcessThatGoesWhileTheyExchangeIsNamed) {
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<std::string> messages = testing::in_world(2, [&](Communicator& world) {
        PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
        placement.devices = {"cuda:" + std::to_string(world.rank())};
        Exchange exchange(&world, placement, std::chrono::hours(1), setup_);
        if (world.rank() == 1) throw Error(ErrorCode::interrupted, "this one is gone", "rank 1");
        exchange.add_up();
    });
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
    EXPECT_THAT(messages[0], HasSubstr("rank 1 has ended: "));
    EXPECT_THAT(messages[0], HasSubstr("this one is gone"));
}

// NCCL says first that the exchange has failed, in a call or behind it.
TEST_F(Gpus, AProcessWhoseEndNcclNoticesFirstIsNamed) {
    for (const bool in_a_call : {true, false}) {
        const std::vector<std::string> messages = testing::in_world(2, [&](Communicator& world) {
            PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
            placement.devices = {"cuda:" + std::to_string(world.rank())};
            Exchange exchange(&world, placement, std::chrono::hours(1), setup_);
            world.barrier();
            if (world.rank() == 1) {
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
                throw Error(ErrorCode::interrupted, "this one is gone", "rank 1");
            }
            if (in_a_call) exchange.groups().copies(0)->fail();
            exchange.queue();
            exchange.groups().copies(0)->fail();
            exchange.groups().settle(0, 0);
        });
        EXPECT_THAT(messages[0], HasSubstr("rank 1 has ended: ")) << in_a_call;
        EXPECT_THAT(messages[0], HasSubstr("this one is gone")) << in_a_call;
    }
}

// Of an exchange that all come to, nothing is ended.
TEST_F(Gpus, EndAfterAllHaveCome) {
    const std::vector<std::string> messages = testing::in_world(2, [&](Communicator& world) {
        PlacementOptions placement = layout(1, 1, ScheduleKind::naive, 1).placement;
        placement.devices = {"cuda:" + std::to_string(world.rank())};
        Exchange exchange(&world, placement, std::nullopt, setup_);
        exchange.queue();
        world.barrier();
        exchange.groups().end();
        exchange.add_up();
    });
    EXPECT_THAT(messages, ::testing::Each(""));
}

// No device of another process is waited for: what a GPU has to do may take as long as it takes.
TEST_F(Gpus, WorkOfTheirOwnHasNoDeadline) {
    PlacementOptions placement = layout(2, 1, ScheduleKind::naive, 1).placement;
    placement.devices = {"cuda:0", "cuda:1"};
    Exchange exchange(nullptr, placement, std::chrono::milliseconds(0), setup_);
    for (int i = 0; i < 50; ++i)
        exchange.part().device().fill_zero(
            exchange.part().arena().base(device::Category::gradients), 64);
    EXPECT_NO_THROW(exchange.groups().settle(0, 0));
}

}  // namespace
}  // namespace strata::parallel
