// What the planner says of a process of several against what each then holds: threads, batches and
// the layers that a memory limit has computed again.
#include "engine/core/error.h"
#include "engine/parallel/workers.h"
#include "engine/train/plan_request.h"
#include "engine/train/rank_devices.h"
#include "tests/engine/train/ranks.h"

namespace strata::train {
namespace {

class RanksPlan : public RanksRun {
protected:
    // Without threads of its own, so that the processes divide the cores; layers as wide as their
    // kernels' workspace needs threads.
    Json wide(int ranks) const {
        Json json = project();
        json["placement"] = {{"ranks", ranks}};
        json["model"]["layers"][3]["config"]["units"] = 96;
        json["training"]["epochs"] = 1;
        return json;
    }
    std::vector<parallel::DevicePlan> planned(const Json& json) const {
        const RunConfig made = config(json);
        return parallel::plan_placement(plan_request(made, data_size(made)),
                                        {.time = false, .warnings = false})
            .devices;
    }
    PlanEvent held(const Json& json, int ranks) const {
        const Ended ended = train_ranks(json, ranks, "run-" + std::to_string(++count_));
        ended.expect(RunState::finished);
        return ended.lead().all<PlanEvent>().front();
    }
    void expect_alike(const Json& json, int ranks) const {
        const std::vector<parallel::DevicePlan> plan = planned(json);
        const PlanEvent run = held(json, ranks);
        ASSERT_EQ(plan.size() * static_cast<std::size_t>(ranks), run.devices.size());
        for (std::size_t i = 0; i < plan.size(); ++i) {
            EXPECT_EQ(device_of_rank(0, plan[i].device), run.devices[i].name);
            EXPECT_EQ(plan[i].memory.bytes, run.devices[i].memory.bytes)
                << plan[i].device << " of " << ranks << " ranks";
        }
    }
    mutable int count_ = 0;
};

TEST_F(RanksPlan, IsWhatEachProcessHolds) {
    for (int ranks : {2, 3, 5}) {
        Json json = wide(ranks);
        expect_alike(json, ranks);
        json["data"]["pipeline"][1]["drop_remainder"] = ranks != 5;
        expect_alike(json, ranks);
        json["placement"]["replicas"] = 2;
        expect_alike(json, ranks);
        json["placement"]["micro_batches"] = 2;
        json["model"]["layers"][6]["device"] = "cpu:1";
        expect_alike(json, ranks);
    }
}

TEST_F(RanksPlan, ThreadsAreAShareOfTheCores) {
    const auto cores = static_cast<int>(parallel::usable_cores().size());
    Json json = wide(2);
    json["model"]["layers"][6]["device"] = "cpu:1";
    for (const parallel::DevicePlan& device : planned(json))
        EXPECT_EQ(device.threads, std::max(1, cores / 4)) << "two devices of two processes";
    json["placement"]["threads"] = 3;
    for (const parallel::DevicePlan& device : planned(json)) EXPECT_EQ(device.threads, 3);
}

// Each of four ranks keeps a quarter of Adam's moments: what fits so needs nothing again.
TEST_F(RanksPlan, ALimitCountsTheProcessesShareOfTheOptimizer) {
    Json json = wide(4);
    json["model"]["layers"][3]["config"]["units"] = 256;
    const PlanEvent free = held(json, 4);
    const auto moments = free.devices[0].memory[device::Category::optimizer];
    ASSERT_GT(moments, 8192U);
    json["training"]["recomputation"] = {{"memory_limit", free.devices[0].memory.total()}};
    const PlanEvent limited = held(json, 4);
    EXPECT_EQ(limited.memory.bytes, free.memory.bytes);
    EXPECT_EQ(limited.fusions, free.fusions) << "no layer is computed again";
    EXPECT_EQ(planned(json)[0].memory.bytes, free.devices[0].memory.bytes);
}

TEST_F(RanksPlan, ALimitBelowTheShareIsMetOrRefusedWithItsBytes) {
    Json json = wide(2);
    json["data"]["pipeline"][1]["batch_size"] = 26;  // half the samples of an epoch
    Json& layers = json["model"]["layers"];
    for (const char* name : {"third", "second", "first"})
        layers.insert(layers.begin() + 2, Json{{"name", name},
                                               {"type", "Conv2D"},
                                               {"config",
                                                {{"filters", 16},
                                                 {"kernel_size", 3},
                                                 {"padding", "same"},
                                                 {"activation", "relu"}}}});
    const PlanEvent whole = held(json, 2);
    const std::size_t limit = whole.devices[0].memory.total() - 8192;
    json["training"]["recomputation"] = {{"memory_limit", limit}};
    const PlanEvent limited = held(json, 2);
    EXPECT_LE(limited.devices[0].memory.total(), limit);
    EXPECT_EQ(limited.updates_per_epoch, whole.updates_per_epoch) << "the batch stays whole";
    EXPECT_GT(limited.fusions.size(), whole.fusions.size()) << "layers are computed again";
    EXPECT_EQ(planned(json)[0].memory.bytes, limited.devices[0].memory.bytes);
    json["training"]["recomputation"] = {{"memory_limit", 1024}};
    try {
        planned(json);
        FAIL() << "nothing fits 1 KiB";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
        EXPECT_EQ(error.where(), "training.recomputation.memory_limit");
    }
    json["placement"]["replicas"] = 2;
    EXPECT_THROW(planned(json), Error) << "as training refuses it";
}

}  // namespace
}  // namespace strata::train
