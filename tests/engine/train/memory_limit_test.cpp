// The project's placement.memory_limit: read, written, refused, and met by a run's devices.
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/train/plan_request.h"
#include "engine/train/run_config.h"

namespace strata::train {
namespace {

RunConfig with_limit(const Json& limit) {
    Json json = project_to_json(make_template("classic"));
    json["placement"]["memory_limit"] = limit;
    return project_from_json(json, "test");
}

std::string error_of(const Json& limit) {
    try {
        with_limit(limit);
        return "";
    } catch (const Error& error) {
        return error.where() + ": " + error.message();
    }
}

TEST(MemoryLimit, IsOneForAllDevicesOrByName) {
    const parallel::PlacementOptions one = with_limit(1 << 20).placement;
    EXPECT_EQ(one.memory_limit("cpu:0"), 1U << 20);
    EXPECT_EQ(one.memory_limit("cpu:7"), 1U << 20);
    const Json named = {{"cpu:1", 4096}, {"cpu:2", 8192}};
    const RunConfig two = with_limit(named);
    EXPECT_EQ(two.placement.memory_limit("cpu:0"), 0U) << "its own memory";
    EXPECT_EQ(two.placement.memory_limit("cpu:2"), 8192U);
    EXPECT_EQ(project_to_json(two)["placement"]["memory_limit"], named);
    EXPECT_EQ(project_to_json(with_limit(5000))["placement"]["memory_limit"], 5000);
    EXPECT_TRUE(with_limit(nullptr).placement.memory_limits.empty());
}

TEST(MemoryLimit, RefusesWhatIsNoNumberOfBytes) {
    for (const Json& wrong : {Json(0), Json(-1), Json("1 GiB"), Json(1.5), Json::array({1}),
                              Json{{"cpu:0", 0}}, Json{{"cpu:0", "all"}}, Json{{"gpu", 1000}}})
        EXPECT_NE(error_of(wrong).find("placement.memory_limit"), std::string::npos)
            << wrong.dump() << " " << error_of(wrong);
}

TEST(MemoryLimit, IsWhatThePlannerCompares) {
    RunConfig config = make_template("cnn");
    config.placement.memory_limits[""] = 1 << 20;
    const DataSize data{60000, 10000, DType::uint8};
    const parallel::PlanRequest request = plan_request(config, data);
    EXPECT_EQ(request.options.batch, 64);
    // 54,000 for training, 6,000 for validation, 10,000 for the test.
    EXPECT_EQ(request.options.other_batches, (std::vector<std::int64_t>{48, 48, 16}));
    const parallel::PlacementPlan plan =
        parallel::plan_placement(request, {.time = false, .warnings = false});
    EXPECT_EQ(plan.devices[0].memory_limit, 1U << 20);
    EXPECT_FALSE(plan.devices[0].fits());
}

}  // namespace
}  // namespace strata::train
