// Warm-up, reduction on a plateau (Keras's traces: tests/references/plateaus.json), changes by hand
// and resume.
#include "engine/schedules/learning_rate.h"

#include "tests/engine/core/reference.h"
#include "tests/engine/layers/error_of.h"

namespace strata::schedules {
namespace {

using strata::testing::error_of;
using strata::testing::flat;

// lr(e) = lr0/N * ((e + 1/steps) * (N-1)/warmup + 1) at the fractional epoch e of a batch's start.
TEST(Warmup, FollowsTheFormulaOfDistributedRuns) {
    for (const double workers : {1.0, 2.0, 4.0, 7.0})
        for (const std::int64_t steps : {1, 10, 37})
            for (const std::int64_t epochs : {1, 5}) {
                const LearningRate rate(
                    {{"warmup", {{"epochs", epochs}, {"start_factor", 1.0 / workers}}}}, 1.0, steps,
                    100 * steps);
                const auto per_epoch = static_cast<double>(steps);
                for (std::int64_t i = 0; i < epochs * steps; ++i) {
                    const double e = static_cast<double>(i) / per_epoch;
                    const double expected =
                        1.0 / workers *
                        ((e + 1.0 / per_epoch) * (workers - 1) / static_cast<double>(epochs) + 1);
                    ASSERT_NEAR(rate.at(i), expected, 1e-14);
                }
                EXPECT_EQ(rate.at(epochs * steps), 1.0);
            }
    const LearningRate four({{"warmup", {{"epochs", 5}, {"start_factor", 0.25}}}}, 1.0, 10, 1000);
    EXPECT_NEAR(four.at(0), 0.265, 1e-15);
    EXPECT_NEAR(four.at(9), 0.4, 1e-15);
    EXPECT_EQ(four.at(49), 1.0);
    EXPECT_EQ(four.at(50), 1.0);
}

TEST(Warmup, StandsInFrontOfASchedule) {
    const Json cosine = {{"type", "CosineDecay"}, {"config", {{"alpha", 0.1}}}};
    Json warmed = cosine;
    warmed["warmup"] = {{"updates", 20}};
    const LearningRate rate(warmed, 0.4, 10, 100), alone(cosine, 0.4, 10, 80);
    EXPECT_NEAR(rate.at(0), 0.4 / 20, 1e-15) << "the rise starts at 0 unless it is said";
    EXPECT_EQ(rate.at(19), 0.4);
    for (std::int64_t i = 0; i <= 80; ++i) EXPECT_EQ(rate.at(20 + i), alone.at(i));
    const LearningRate pieces({{"type", "PiecewiseConstantDecay"},
                               {"config", {{"boundaries", {2}}, {"values", {0.5, 0.1}}}},
                               {"warmup", {{"updates", 4}}}},
                              9.0, 10, 100);
    EXPECT_EQ(pieces.at(1), 0.25);
    EXPECT_EQ(pieces.at(6), 0.5);
    EXPECT_EQ(pieces.at(7), 0.1);
    const LearningRate half({{"warmup", {{"epochs", 0.5}}}}, 1.0, 30, 100);
    EXPECT_LT(half.at(13), 1.0);
    EXPECT_EQ(half.at(14), 1.0);
    const LearningRate none({{"warmup", {{"updates", 0}}}}, 1.0, 30, 100);
    EXPECT_EQ(none.at(0), 1.0);
}

TEST(ReduceOnPlateau, TakesKerassDecisions) {
    const Json cases = strata::testing::read_reference("plateaus.json");
    ASSERT_GE(cases.size(), 7U);
    for (const Json& entry : cases) {
        const Json& config = entry.at("config");
        const auto base = entry.at("base").get<double>();
        LearningRate rate({{"reduce_on_plateau", config}}, base, 10, 1000);
        EXPECT_EQ(rate.monitor(), config.at("monitor").get<std::string>());
        const auto expected = flat<double>(entry.at("rates"));
        double before = base;
        for (std::size_t epoch = 0; epoch < expected.size(); ++epoch) {
            const bool lowered =
                rate.end_epoch({{rate.monitor(), entry.at("values")[epoch].get<double>()}});
            EXPECT_NEAR(rate.at(7), expected[epoch], 1e-7 * base)
                << entry.at("name") << ", epoch " << epoch + 1;
            EXPECT_EQ(lowered, expected[epoch] != before);
            before = expected[epoch];
        }
    }
}

TEST(ReduceOnPlateau, NeverTakesNaNForTheBest) {
    LearningRate rate({{"reduce_on_plateau", {{"patience", 2}, {"factor", 0.5}}}}, 1.0, 1, 100);
    rate.end_epoch({{"val_loss", NAN}});
    rate.end_epoch({{"val_loss", 0.5}});
    rate.end_epoch({{"val_loss", NAN}});
    EXPECT_EQ(rate.at(0), 1.0);
    rate.end_epoch({{"val_loss", 0.5}});
    EXPECT_EQ(rate.at(0), 0.5);
    rate.end_epoch({{"val_loss", 0.25}});
    rate.end_epoch({{"val_loss", 0.3}});
    EXPECT_EQ(rate.at(0), 0.5) << "0.25 was the new best";
}

TEST(ReduceOnPlateau, WatchesTheLossWithoutValidation) {
    LearningRate rate({{"reduce_on_plateau", {{"patience", 1}}}}, 1.0, 1, 100);
    EXPECT_EQ(rate.monitor(), "val_loss");
    rate.end_epoch({{"loss", 1.0}});
    EXPECT_EQ(rate.monitor(), "loss");
    EXPECT_TRUE(rate.end_epoch({{"loss", 1.0}}));
    LearningRate named({{"reduce_on_plateau", {{"monitor", "val_accuracy"}}}}, 1.0, 1, 100);
    const Error missing = error_of([&] { named.end_epoch({{"loss", 1.0}, {"accuracy", 0.5}}); });
    EXPECT_EQ(missing.code(), ErrorCode::not_found);
    EXPECT_NE(missing.hint().find("accuracy, loss"), std::string::npos);
    EXPECT_EQ(missing.where(), "training.learning_rate_schedule.reduce_on_plateau, monitor");
}

TEST(ReduceOnPlateau, LowersAScheduleAndNoMoreThanItMay) {
    LearningRate rate({{"type", "StepDecay"},
                       {"config", {{"step_size", 10}, {"gamma", 0.01}}},
                       {"reduce_on_plateau", {{"patience", 1}, {"factor", 0.5}, {"min_lr", 0.1}}}},
                      1.0, 10, 100);
    rate.end_epoch({{"val_loss", 1.0}});
    rate.end_epoch({{"val_loss", 1.0}});
    EXPECT_EQ(rate.at(0), 0.5);
    EXPECT_EQ(rate.at(10), 0.01) << "the schedule itself may go below min_lr";
    for (int i = 0; i < 9; ++i) rate.end_epoch({{"val_loss", 1.0}});
    EXPECT_EQ(rate.at(0), 0.1);
    EXPECT_FALSE(rate.end_epoch({{"val_loss", 1.0}}));
}

TEST(LearningRate, CanBeChangedByHand) {
    LearningRate cosine({{"type", "CosineDecay"}, {"reduce_on_plateau", {{"patience", 0}}}}, 1.0, 1,
                        10);
    cosine.end_epoch({{"val_loss", 1.0}});
    cosine.end_epoch({{"val_loss", 1.0}});
    EXPECT_NEAR(cosine.at(5), 0.05, 1e-15);
    cosine.set_base(0.2);
    EXPECT_NEAR(cosine.at(5), 0.1, 1e-15) << "earlier reductions are forgotten";
    LearningRate pieces({{"type", "PiecewiseConstantDecay"},
                         {"config", {{"boundaries", {2}}, {"values", {0.5, 0.1}}}}},
                        0.01, 1, 10);
    EXPECT_EQ(pieces.at(0), 0.5);
    pieces.set_base(0.02);
    EXPECT_EQ(pieces.at(0), 1.0);
    EXPECT_EQ(pieces.at(3), 0.2);
    for (const double bad : {-0.1, HUGE_VAL, std::nan("")})
        EXPECT_EQ(error_of([&] { pieces.set_base(bad); }).where(), "learning_rate");
    EXPECT_EQ(pieces.at(0), 1.0);
}

// Cut after any epoch, through the text of a file, the rates go on bit for bit.
TEST(LearningRate, ResumesExactly) {
    const Json setting = {
        {"type", "CosineDecayRestarts"},
        {"config", {{"first_decay_steps", 7}}},
        {"warmup", {{"updates", 3}}},
        {"reduce_on_plateau",
         {{"patience", 2}, {"factor", 0.3}, {"cooldown", 1}, {"min_delta", 0.01}}}};
    const auto loss = [](int epoch) { return 1.0 / (1 + epoch % 5) + 1e-17 * epoch; };
    const int epochs = 20;
    std::vector<double> whole;
    LearningRate rate(setting, 1.0 / 3, 10, 200);
    for (int epoch = 0; epoch < epochs; ++epoch) {
        if (epoch == 4) rate.set_base(0.7 / 3);
        whole.push_back(rate.at(10 * epoch));
        rate.end_epoch({{"val_loss", loss(epoch)}});
    }
    EXPECT_LT(whole.back(), whole[4] * 0.31);
    for (int cut = 5; cut < epochs; ++cut) {
        LearningRate first(setting, 1.0 / 3, 10, 200), second(setting, 1.0 / 3, 10, 200);
        for (int epoch = 0; epoch < cut; ++epoch) {
            if (epoch == 4) first.set_base(0.7 / 3);
            first.end_epoch({{"val_loss", loss(epoch)}});
        }
        second.restore(parse_json(first.state().dump(), "state"));
        for (int epoch = cut; epoch < epochs; ++epoch) {
            EXPECT_EQ(second.at(10 * epoch), whole[static_cast<std::size_t>(epoch)]) << cut;
            second.end_epoch({{"val_loss", loss(epoch)}});
        }
        EXPECT_EQ(first.state().dump().find("null"), std::string::npos);
    }
}

TEST(LearningRate, TakesANewRateOfTheProjectAtResume) {
    LearningRate before({{"reduce_on_plateau", {{"patience", 0}, {"factor", 0.5}}}}, 0.1, 1, 10);
    before.set_base(0.05);
    before.end_epoch({{"val_loss", 1.0}});
    before.end_epoch({{"val_loss", 1.0}});
    LearningRate same({{"reduce_on_plateau", {{"patience", 0}, {"factor", 0.5}}}}, 0.1, 1, 10);
    same.restore(before.state());
    EXPECT_EQ(same.at(0), 0.025);
    LearningRate changed({{"reduce_on_plateau", {{"patience", 0}, {"factor", 0.5}}}}, 0.4, 1, 10);
    changed.restore(before.state());
    EXPECT_EQ(changed.at(0), 0.4);
    EXPECT_EQ(error_of([&] { same.restore({{"base", "fast"}}); }).where(), "learning_rate.base");
}

}  // namespace
}  // namespace strata::schedules
