// The learning rate of several copies, by SEMANTICS' numbers and by the formula.
#include "engine/train/rate_scaling.h"

#include "tests/engine/train/ranks.h"

namespace strata::train {
namespace {

RateScaling scaling(ScaleRate scale, double warmup_epochs, int copies, std::int64_t steps) {
    return {{scale, warmup_epochs}, copies, steps};
}

// N = 4, lr0 = 1, 10 steps an epoch, warm-up 5.
TEST(RateScaling, WarmsUpAsHorovodDoes) {
    const RateScaling four = scaling(ScaleRate::none, 5, 4, 10);
    EXPECT_DOUBLE_EQ(four.warmup(0), 0.265);
    EXPECT_DOUBLE_EQ(four.warmup(9), 0.4);
    EXPECT_DOUBLE_EQ(four.warmup(49), 1.0);
    EXPECT_DOUBLE_EQ(four.warmup(50), 1.0);
    for (const auto& [copies, steps, epochs] :
         {std::tuple{8, 7, 2.0}, {2, 100, 3.0}, {3, 1, 4.0}, {16, 9, 0.5}}) {
        const RateScaling any = scaling(ScaleRate::none, epochs, copies, steps);
        const double n = copies, s = steps;
        for (std::int64_t u = 0; u < std::int64_t(epochs * s); ++u) {
            const double e = static_cast<double>(u) / s;
            EXPECT_NEAR(any.warmup(u), 1 / n * ((e + 1 / s) * (n - 1) / epochs + 1), 1e-12) << u;
        }
    }
}

TEST(RateScaling, ScalesByTheNumberOfCopies) {
    EXPECT_EQ(scaling(ScaleRate::none, 0, 4, 10).scale(), 1.0);
    EXPECT_EQ(scaling(ScaleRate::linear, 0, 4, 10).scale(), 4.0);
    EXPECT_EQ(scaling(ScaleRate::square_root, 0, 4, 10).scale(), 2.0);
    EXPECT_EQ(scaling(ScaleRate::linear, 3, 1, 10).scale(), 1.0);
    EXPECT_EQ(scaling(ScaleRate::linear, 3, 1, 10).warmup(0), 1.0) << "one copy needs none";
    EXPECT_EQ(scaling(ScaleRate::linear, 0, 4, 10).warmup(0), 1.0);
}

using RateOfRanks = RanksRun;

// 7 updates an epoch; 2 ranks of 2 replicas each are 4 copies.
TEST_F(RateOfRanks, ReplicasAndRanksCount) {
    Json json = cut(8, 4);
    json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 0.125}}}};
    json["training"]["scale_lr"] = "linear";
    json["training"]["warmup_epochs"] = 2;
    json["placement"] = {{"threads", 1}, {"replicas", 2}};
    const Ended ended = train_ranks(json, 2, "run");
    ended.expect(RunState::finished);
    const auto steps = ended.lead().all<StepEvent>();
    ASSERT_EQ(steps.size(), 21U);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double done = std::min(1.0, static_cast<double>(i + 1) / 14.0);
        EXPECT_FLOAT_EQ(static_cast<float>(steps[i].learning_rate),
                        static_cast<float>(0.125 * (done * 3 + 1)))
            << i;
    }
    Recorder replicas;  // without ranks: the same copies
    Json alone = json;
    alone["placement"]["replicas"] = 4;
    ASSERT_EQ(train_as(alone, "alone", replicas).state, RunState::finished);
    expect_same_steps(replicas.all<StepEvent>(), steps);
}

TEST_F(RateOfRanks, TheProjectKeepsThem) {
    Json json = project();
    json["training"]["scale_lr"] = "sqrt";
    json["training"]["warmup_epochs"] = 2.5;
    const Json kept = project_to_json(config(json));
    EXPECT_EQ(kept["training"]["scale_lr"], "sqrt");
    EXPECT_EQ(kept["training"]["warmup_epochs"], 2.5);
    EXPECT_FALSE(project_to_json(config(project()))["training"].contains("scale_lr"));
    const auto where = [&](const char* key, const Json& value) -> std::string {
        Json wrong = project();
        wrong["training"]["learning_rate_schedule"] = {{"warmup", {{"updates", 5}}}};
        wrong["training"][key] = value;
        try {
            config(wrong);
        } catch (const Error& error) {
            return error.where().substr(error.where().find("training"));
        }
        return "accepted";
    };
    EXPECT_EQ(where("scale_lr", "lineer"), "training.scale_lr");
    EXPECT_EQ(where("scale_lr", 2), "training.scale_lr");
    EXPECT_EQ(where("warmup_epochs", -1), "training.warmup_epochs");
    EXPECT_EQ(where("warmup_epochs", 3), "training.warmup_epochs") << "two warm-ups";
    EXPECT_EQ(where("warmup_epochs", 0), "accepted");
}

}  // namespace
}  // namespace strata::train
