// What the window's predictions say of a project: memory, checkpoints, step times.
#include "ui/bridge/prediction.h"

#include <gtest/gtest.h>

#include "tests/ui/support/ui_environment.h"

namespace strata::ui {
namespace {

TEST(PredictMemory, AFaultThatIsNoneOfTheEnginesLeavesItEmpty) {
    train::RunConfig config = test::smallProject("/data");
    ASSERT_TRUE(predictMemory(config).has_value());
    config.training.optimizer_config = Json::array({1});
    EXPECT_FALSE(predictMemory(config).has_value());
}

TEST(PredictMemory, ALimitOfTheProjectIsTheDevices) {
    train::RunConfig config = test::smallProject("/data");
    const std::size_t machine = predictMemory(config)->limit;
    EXPECT_GT(machine, 1000U);
    config.placement.memory_limits["cpu:1"] = 1000;
    EXPECT_EQ(predictMemory(config)->limit, machine) << "of another device";
    config.placement.memory_limits["cpu:0"] = 1000;
    EXPECT_EQ(predictMemory(config)->limit, 1000U);
    config.placement.memory_limits = {{"", 2000}};
    EXPECT_EQ(predictMemory(config)->limit, 2000U);
}

// 154 weights with Adam's two moments each: as much on one device as on several.
TEST(PredictMemory, ACheckpointHoldsWhatAllDevicesKeep) {
    train::RunConfig config = test::smallProject("/data");
    constexpr std::size_t bytes = 154 * 3 * sizeof(float);
    const auto expect = [&](const char* way) {
        const auto memory = predictMemory(config);
        ASSERT_TRUE(memory) << way;
        EXPECT_GE(memory->checkpoint, bytes) << way;
        EXPECT_LT(memory->checkpoint, 2 * bytes) << way;
    };
    config.training.optimizer = "Adam";
    expect("one device");
    config.placement.replicas = 2;
    config.placement.sharded_optimizer = false;
    expect("two copies");
    config.placement.sharded_optimizer = true;
    expect("two copies that share the optimizer's state");
    config.placement.ranks = 2;
    expect("and two processes");
    config.placement.replicas = config.placement.ranks = 1;
    for (graph::LayerNode& layer : config.model.layers)
        if (layer.name == "classes") layer.device = "cpu:1";
    expect("two stages");
}

// The strip and the cards show what the plan shows.
TEST(PredictMemory, IsThePlansAlsoOfOneDevice) {
    train::RunConfig config = test::smallProject("/data");
    const std::size_t whole = predictMemory(config)->budget.total();
    config.placement.ranks = 2;
    config.placement.sharded_optimizer = true;
    EXPECT_LT(predictMemory(config)->budget.total(), whole) << "each keeps half of the moments";
    EXPECT_FALSE(predictStepTime(config)) << "the processes share the machine";
    config.placement.ranks = 1;
    config.placement.devices = {"cpu:1"};
    EXPECT_EQ(predictMemory(config)->device, "cpu:1");
    EXPECT_TRUE(predictStepTime(config));
}

TEST(PredictMemory, CountsTheTechniques) {
    train::RunConfig config = test::smallProject("/data");
    const auto total = [&] { return predictMemory(config)->budget.total(); };
    const std::size_t plain = total();
    config.training.ema.enabled = true;
    // 154 averages in float32.
    EXPECT_GE(total(), plain + 154U * 4U);
    config.training.ema.enabled = false;
    config.training.recomputation.memory_limit = 1;
    EXPECT_EQ(total(), plain);
    EXPECT_TRUE(predictMemory(config)->misfit.has_value());
}

}  // namespace
}  // namespace strata::ui
