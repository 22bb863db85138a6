// What rank 0 tells of the devices of all ranks.
#include "engine/train/rank_devices.h"

#include "engine/interop/run_log_reader.h"
#include "tests/engine/train/ranks.h"

namespace strata::train {
namespace {

// The threads of a local group stand for the ranks; what work(world) gives, by rank.
std::vector<MonitorEvent> of_ranks(int ranks,
                                   const std::function<MonitorEvent(World& world)>& work) {
    parallel::LocalGroup group(ranks, std::chrono::seconds(20));
    std::vector<MonitorEvent> all(static_cast<std::size_t>(ranks));
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; ++r)
        threads.emplace_back([&, r] {
            World world(group.rank(r));
            all[static_cast<std::size_t>(r)] = work(world);
        });
    for (std::thread& thread : threads) thread.join();
    return all;
}

TEST(RankDevices, ReadingsKeepTheirFiguresAndWhatIsNotTold) {
    // Below zero, zero, and more bytes than a 32-bit number holds.
    device::Reading cold;
    cold.used_bytes = std::size_t{5} << 40;
    cold.free_bytes = 0;
    cold.utilisation = 0.0;
    cold.temperature = -7.5;
    device::Reading warm;
    warm.program_bytes = 1;
    warm.utilisation = 1.0;
    warm.scope = device::LoadScope::threads;
    warm.power = 250.5;
    warm.power_limit = 700.0;
    const std::vector<std::string> names{"rank0/cuda:0", "rank1/cuda:0", "rank1/cpu:0",
                                         "rank2/cuda:0"};
    const auto told = of_ranks(3, [&](World& world) {
        MonitorEvent own;
        own.wall_time = 100.0 + world.rank();
        if (world.rank() == 0) own.devices = {{"cuda:0", cold}};
        if (world.rank() == 1) own.devices = {{"cpu:0", warm}, {"cuda:0", device::Reading{}}};
        return join_readings(own, names, world);  // rank 2 has read nothing yet
    });
    for (const MonitorEvent& all : told) {
        ASSERT_EQ(all.devices.size(), 3U);
        EXPECT_EQ(all.devices[0].name, "rank0/cuda:0");
        EXPECT_EQ(all.devices[0].reading, cold);
        EXPECT_EQ(all.devices[1].name, "rank1/cuda:0");
        EXPECT_EQ(all.devices[1].reading, device::Reading{});
        EXPECT_EQ(all.devices[2].name, "rank1/cpu:0");
        EXPECT_EQ(all.devices[2].reading, warm);
    }
    EXPECT_EQ(told[0].wall_time, 100.0);
}

TEST_F(RanksRun, RankZeroTellsOfAllDevices) {
    Recorder one;
    Json json = cut(8, 4);
    json["placement"] = {{"threads", 1}, {"replicas", 2}};
    ASSERT_EQ(train_as(json, "one", one).state, RunState::finished);
    const PlanEvent alone = one.all<PlanEvent>().at(0);
    ASSERT_EQ(alone.devices.size(), 2U);
    EXPECT_EQ(alone.devices[1].name, "cpu:1");

    json["training"]["epochs"] = 100000;
    std::vector<MonitorEvent> told;
    const Ended ended =
        train_ranks(json, 2, "many", {.watch = [&](int rank, Recorder& recorder, Control& control) {
                        if (rank != 0) return;
                        recorder.on_reading = [&](const MonitorEvent& reading) {
                            told.push_back(reading);
                            if (told.size() == 3) control.stop();
                        };
                    }});
    ended.expect(RunState::stopped);
    const PlanEvent plan = ended.lead().all<PlanEvent>().at(0);
    ASSERT_EQ(plan.devices.size(), 4U);
    const std::vector<std::string> names{"rank0/cpu:0", "rank0/cpu:1", "rank1/cpu:0",
                                         "rank1/cpu:1"};
    std::size_t activations = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(plan.devices[i].name, names[i]);
        EXPECT_EQ(plan.devices[i].memory[device::Category::weights],
                  alone.devices[i % 2].memory[device::Category::weights]);
        activations += plan.devices[i].memory[device::Category::activations];
    }
    EXPECT_EQ(plan.memory[device::Category::activations], activations);
    EXPECT_EQ(plan.memory[device::Category::weights],
              4 * plan.devices[0].memory[device::Category::weights]);
    ASSERT_GE(told.size(), 3U);
    ASSERT_EQ(told.back().devices.size(), 4U);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(told.back().devices[i].name, names[i]);
        EXPECT_TRUE(told.back().devices[i].reading.program_bytes);
    }
    EXPECT_GT(told.back().update, told.front().update);
    const interop::RunLog log = interop::read_run_log(run_directory("many"));
    EXPECT_EQ(log.at("devices/rank1/cpu:1/program_bytes").steps.back(), told.back().update);
}

}  // namespace
}  // namespace strata::train
