// Every schedule against Keras and PyTorch (tests/references/schedules.json), and their parameters.
#include "engine/schedules/schedule.h"

#include <set>

#include "engine/schedules/learning_rate.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/layers/error_of.h"

namespace strata::schedules {
namespace {

using strata::testing::error_of;
using strata::testing::flat;

TEST(Schedules, AreKerassAndPyTorchs) {
    std::set<std::string> seen;
    for (const Json& entry : strata::testing::read_reference("schedules.json")) {
        const std::string type = entry.at("class_name").get<std::string>();
        seen.insert(type);
        const auto total = entry.at("total").get<std::int64_t>();
        const auto base = entry.at("base").get<double>();
        const LearningRate rate({{"type", type},
                                 {"config", entry.at("config")},
                                 {"warmup", entry.value("warmup", Json())}},
                                base, 10, total);
        const auto expected = flat<double>(entry.at("rates"));
        // Keras's pi and constants are float32 ones.
        const double tolerance = (entry.at("by") == "Keras" ? 3e-7 : 1e-12) * base;
        const auto ahead = entry.value("ahead", std::size_t{0});
        for (std::size_t i = ahead; i < expected.size(); ++i)
            ASSERT_NEAR(rate.at(static_cast<std::int64_t>(i - ahead)), expected[i], tolerance)
                << entry.at("by") << " " << entry.at("name") << ", update " << i;
    }
    for (const ScheduleDescription* schedule : catalogue())
        EXPECT_TRUE(seen.contains(schedule->type)) << schedule->type << " has no reference";
}

TEST(Schedules, CanBeFoundAndExplained) {
    EXPECT_EQ(find_schedule("cosinedecay").type, "CosineDecay");
    const Error unknown = error_of([] { find_schedule("CosineDecays"); });
    EXPECT_EQ(unknown.code(), ErrorCode::not_found);
    EXPECT_NE(unknown.hint().find("CosineDecay"), std::string::npos);
    for (const ScheduleDescription* schedule : catalogue()) {
        EXPECT_GE(schedule->doc.size(), 20U) << schedule->type;
        for (const layers::ParamSpec& param : schedule->params)
            EXPECT_GE(param.doc.size(), 10U) << schedule->type << " " << param.key;
        const layers::Config usual = layers::Config::checked(schedule->params, Json::object());
        EXPECT_GT(schedule->rate(usual, 0.1, 0, 100), 0.0) << "all parameters have defaults";
    }
}

// Far beyond the end, and with the shortest lengths.
TEST(Schedules, StayFiniteAndAtTheirEnds) {
    for (const ScheduleDescription* schedule : catalogue())
        for (const std::int64_t update : {0LL, 1LL, 99LL, 100LL, 1'000'000'000LL})
            for (const std::int64_t total : {1LL, 100LL}) {
                const double rate = schedule->rate(
                    layers::Config::checked(schedule->params, Json::object()), 0.1, update, total);
                EXPECT_TRUE(std::isfinite(rate) && rate >= 0.0 && rate <= 0.1)
                    << schedule->type << " at " << update << " of " << total << ": " << rate;
            }
    const LearningRate cosine({{"type", "CosineDecay"}, {"config", {{"alpha", 0.25}}}}, 2.0, 5, 50);
    EXPECT_EQ(cosine.at(0), 2.0);
    EXPECT_NEAR(cosine.at(25), 1.25, 1e-12);
    EXPECT_EQ(cosine.at(50), 0.5);
    EXPECT_EQ(cosine.at(5000), 0.5);
}

// A logarithm in the place of the sum would miss the restart by one update at some of these.
TEST(Schedules, RestartExactlyAtThePeriodsEnd) {
    const LearningRate rate(
        {{"type", "CosineDecayRestarts"}, {"config", {{"first_decay_steps", 3}, {"t_mul", 3.0}}}},
        1.0, 1, 1000);
    for (std::int64_t restart = 3, length = 9; restart < 100'000'000; length *= 3) {
        EXPECT_EQ(rate.at(restart), 1.0) << restart;
        EXPECT_LT(rate.at(restart - 1), 0.5) << restart;
        restart += length;
    }
}

TEST(Schedules, RefuseBadSettingsByKey) {
    const auto where = [](const Json& setting) {
        return error_of([&] { check_setting(setting); }).where();
    };
    const std::string key = "training.learning_rate_schedule";
    EXPECT_EQ(where(3), key);
    EXPECT_EQ(where({{"type", "Cosine"}}), key + ", type");
    EXPECT_EQ(where({{"type", 7}}).rfind(key, 0), 0U);
    EXPECT_EQ(where({{"type", "CosineDecay"}, {"config", {{"decay_steps", 0}}}}),
              key + ".config, decay_steps");
    EXPECT_EQ(where({{"type", "StepDecay"}, {"config", {{"gamma", 1.5}}}}), key + ".config, gamma");
    EXPECT_EQ(where({{"warmup", {{"updates", -1}}}}), key + ".warmup, updates");
    EXPECT_EQ(where({{"warmup", Json::object()}}), key + ".warmup");
    EXPECT_EQ(where({{"reduce_on_plateau", {{"factor", 1.0}}}}),
              key + ".reduce_on_plateau, factor");
    EXPECT_EQ(where({{"reduce_on_plateau", {{"monitor", "val_happiness"}}}}),
              key + ".reduce_on_plateau, mode");
    const Error both = error_of([] {
        check_setting({{"warmup", {{"updates", 5}, {"epochs", 1}}}});
    });
    EXPECT_NE(both.message().find("'updates' and 'epochs'"), std::string::npos);
    const Error unknown = error_of([] { check_setting({{"warm_up", {{"updates", 5}}}}); });
    EXPECT_NE(unknown.hint().find("warmup"), std::string::npos) << unknown.hint();
    const auto pieces = [&](const Json& boundaries, const Json& values) {
        return where({{"type", "PiecewiseConstantDecay"},
                      {"config", {{"boundaries", boundaries}, {"values", values}}}});
    };
    EXPECT_EQ(pieces({5, 5}, {1, 2, 3}), key + ".config, boundaries");
    EXPECT_EQ(pieces({5, 6}, {1, 2}), key + ".config, values");
    EXPECT_EQ(pieces({5}, {1, -2}), key + ".config, values");
    EXPECT_NO_THROW(check_setting(nullptr));
    EXPECT_NO_THROW(check_setting("CosineDecay"));
    EXPECT_NO_THROW(check_setting({{"type", "ExponentialDecay"},
                                   {"config", nullptr},
                                   {"warmup", nullptr},
                                   {"reduce_on_plateau", Json::object()}}));
}

}  // namespace
}  // namespace strata::schedules
