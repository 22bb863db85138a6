// Which GPUs the processes of a machine take.
#include "engine/train/own_gpus.h"

#include <gmock/gmock.h>

#include <thread>

#include "engine/parallel/local_group.h"
#include "tests/engine/graph/models.h"

namespace strata::train {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

graph::Model on(const std::vector<std::string>& devices) {
    graph::Model model = graph::testing::classic();
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        model.layers[i].device = devices[i * devices.size() / model.layers.size()];
    return model;
}

parallel::PlacementOptions taken(const std::vector<std::string>& devices, int replicas,
                                 World::OnHost place, int available) {
    graph::Model model = on(devices);
    parallel::PlacementOptions placement;
    placement.replicas = replicas;
    placement.memory_limits = {{"cuda:0", 100}, {"", 7}};
    take_own_gpus(model, placement, place, available);
    if (placement.devices.empty())
        for (const graph::LayerNode& node : model.layers) placement.devices.push_back(node.device);
    else
        EXPECT_EQ(model.layers.front().device, placement.devices.front());
    return placement;
}

TEST(OwnGpus, EachProcessTakesThoseBehindTheOthers) {
    EXPECT_THAT(taken({"cuda:0"}, 1, {0, 2}, 2).devices, ElementsAre("cuda:0"));
    const auto second = taken({"cuda:0"}, 1, {1, 2}, 4);
    EXPECT_THAT(second.devices, ElementsAre("cuda:1"));
    EXPECT_EQ(second.memory_limit("cuda:1"), 100U);
    EXPECT_EQ(second.memory_limit("cuda:0"), 7U);
    EXPECT_THAT(taken({"cuda:0"}, 2, {1, 2}, 4).devices, ElementsAre("cuda:2", "cuda:3"));
    EXPECT_THAT(taken({"cuda:0", "cuda:1"}, 2, {1, 2}, 8).devices,
                ElementsAre("cuda:4", "cuda:5", "cuda:6", "cuda:7"));
    EXPECT_THAT(taken({"cpu:0", "cuda:0"}, 1, {2, 3}, 3).devices, ElementsAre("cpu:0", "cuda:2"));
}

// A launcher that shows each process GPUs of its own, and processes on machines of their own.
TEST(OwnGpus, StayWhereTheLauncherHasDealtThemOut) {
    const auto dealt = taken({"cuda:0"}, 1, {1, 2}, 1).devices;
    EXPECT_THAT(dealt, ::testing::Each("cuda:0"));
    EXPECT_THAT(taken({"cuda:1"}, 1, {0, 1}, 8).devices, ::testing::Each("cuda:1"));
    EXPECT_THAT(taken({"cpu:0"}, 1, {1, 2}, 8).devices, ::testing::Each("cpu:0"));
}

TEST(OwnGpus, SaysWhereThereAreTooFew) {
    try {
        taken({"cuda:0"}, 2, {0, 2}, 3);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_found);
        EXPECT_THAT(error.message(),
                    HasSubstr("this machine has 3 GPUs for 2 processes that need 2 each"));
    }
}

TEST(OwnGpus, ProcessesOfAMachineKnowTheirNumbers) {
    EXPECT_EQ(World().on_host().count, 1);
    parallel::LocalGroup group(3);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < 3; ++rank)
        threads.emplace_back([&, rank] {
            World world(group.rank(rank));
            const World::OnHost place = world.on_host();
            EXPECT_EQ(place.number, rank);
            EXPECT_EQ(place.count, 3);
        });
    for (std::thread& thread : threads) thread.join();
}

// The rank's fault, where it has one, in words. own: what each rank has.
template <typename T>
std::vector<std::string> faults_of(const std::vector<std::vector<T>>& own,
                                   void (&check)(World&, const std::vector<T>&)) {
    const auto ranks = static_cast<int>(own.size());
    std::vector<std::string> faults(own.size());
    parallel::LocalGroup group(ranks);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            const auto at = static_cast<std::size_t>(rank);
            World world(group.rank(rank));
            try {
                check(world, own[at]);
            } catch (const Error& error) {
                faults[at] = error.what();
            }
        });
    for (std::thread& thread : threads) thread.join();
    return faults;
}

const Gpu first{"cuda:0", "A GPU at PCI 0000:01:00.0, 8 multiprocessors"},
    second{"cuda:0", "A GPU at PCI 0000:02:00.0, 8 multiprocessors"}, silent{"cuda:0", ""};

// A launcher that shows each process the same one, under whatever number.
TEST(OwnGpus, TwoProcessesOnOneGpuAreRefused) {
    for (const std::string& fault : faults_of({{first}, {second}, {first}}, require_gpus_apart))
        EXPECT_THAT(fault, HasSubstr("ranks 0 and 2 have the same GPU, A GPU at PCI 0000:01:00.0"));
    for (const std::string& fault : faults_of({{first, second}, {second}}, require_gpus_apart))
        EXPECT_THAT(fault, HasSubstr("ranks 0 and 1 have the same GPU, A GPU at PCI 0000:02:00.0"));
}

TEST(OwnGpus, ProcessesWithGpusOfTheirOwnWork) {
    for (const auto& gpus : std::vector<std::vector<std::vector<Gpu>>>{
             {{first}, {second}}, {{first, second}, {}}, {{}, {}}, {{silent}, {silent}}})
        EXPECT_THAT(faults_of(gpus, require_gpus_apart), ::testing::Each(""));
}

// One that exchanges in NCCL and one that does not would wait for each other.
TEST(OwnGpus, RanksWithDevicesOfOtherKindsAreRefused) {
    using Lists = std::vector<std::vector<std::string>>;
    for (const std::string& fault :
         faults_of(Lists{{"cuda:0", "cuda:1"}, {"cuda:2", "cuda:3"}, {"cuda:0", "cpu:0"}},
                   require_same_kinds))
        EXPECT_THAT(fault, HasSubstr("rank 2 has on 'cpu:0' what rank 0 has on 'cuda:1'"));
    for (const Lists& lists :
         {Lists{{"cuda:0"}, {"cuda:1"}}, Lists{{"cpu:0", "cuda:0"}, {"cpu:1", "cuda:1"}}})
        EXPECT_THAT(faults_of(lists, require_same_kinds), ::testing::Each(""));
}

}  // namespace
}  // namespace strata::train
