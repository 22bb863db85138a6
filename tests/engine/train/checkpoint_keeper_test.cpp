// When a run saves and under which names: SEMANTICS "Checkpoints".
#include "engine/train/checkpoint_keeper.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/engine/layers/error_of.h"

namespace strata::train {
namespace {

using strata::testing::error_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

EpochValues no_values() {
    ADD_FAILURE() << "values were asked for without need";
    return {};
}

CheckpointKeeper keeper(const CheckpointConfig& config, bool validation = true) {
    return {config, {"accuracy"}, validation};
}

// "UPDATE:NAME" of all that a run of `epochs` epochs of `batches` updates saves.
std::vector<std::string> saves(CheckpointKeeper& keeper, int epochs, int batches,
                               double seconds_a_step = 0.0) {
    std::vector<std::string> all;
    std::int64_t update = 0;
    double since = 0.0;
    const auto take = [&](const checkpoint::Target& target) {
        all.push_back(std::to_string(update) + ":" + target.path);
        since = 0.0;
    };
    for (int epoch = 1; epoch <= epochs; ++epoch) {
        for (int batch = 0; batch < batches; ++batch) {
            ++update;
            since += seconds_a_step;
            if (const auto target = keeper.after_update(epoch, update, since, no_values))
                take(*target);
        }
        for (const auto& target : keeper.after_epoch(epoch, update,
                                                     {{"loss", 1.0},
                                                      {"accuracy", 0.5},
                                                      {"val_loss", 1.0 / epoch},
                                                      {"val_accuracy", 0.25}}))
            take(target);
    }
    return all;
}

TEST(CheckpointKeeper, EachEpochSavesTheBestAndTheLast) {
    CheckpointKeeper both = keeper({});
    EXPECT_EQ(saves(both, 2, 3),
              (std::vector<std::string>{"3:best.h5", "3:last.h5", "6:best.h5", "6:last.h5"}));
    CheckpointConfig config;
    config.save_best_only = true;
    CheckpointKeeper best = keeper(config);
    EXPECT_EQ(saves(best, 2, 3, 100.0), (std::vector<std::string>{"3:best.h5", "6:best.h5"}));
    config.filename = "best-{epoch}.h5";
    CheckpointKeeper named = keeper(config);
    EXPECT_EQ(saves(named, 2, 3),
              (std::vector<std::string>{"3:best.h5", "3:best-1.h5", "6:best.h5", "6:best-2.h5"}));
    config.filename.clear();
    config.enabled = false;
    CheckpointKeeper none = keeper(config);
    EXPECT_TRUE(saves(none, 2, 3, 100.0).empty());
    EXPECT_EQ(none.best(), 0.5);  // followed all the same
}

TEST(CheckpointKeeper, SaveFreqCountsUpdatesOfTheWholeRun) {
    CheckpointConfig config;
    config.save_freq = 3;
    config.monitor = "accuracy";
    CheckpointKeeper three = keeper(config);
    EXPECT_EQ(saves(three, 2, 5),
              (std::vector<std::string>{"3:last.h5", "5:best.h5", "6:last.h5", "9:last.h5"}));
    config.save_freq = 4;
    config.filename = "at-{update}.h5";
    config.keep_last = 2;
    CheckpointKeeper four = keeper(config);
    EXPECT_EQ(saves(four, 3, 3), (std::vector<std::string>{"3:best.h5", "4:at-4.h5", "8:at-8.h5"}));
}

TEST(CheckpointKeeper, SavesAfterSoMuchTime) {
    CheckpointConfig config;
    config.monitor = "accuracy";
    config.save_minutes = 2.0;
    CheckpointKeeper timed = keeper(config);
    EXPECT_EQ(saves(timed, 1, 7, 50.0),
              (std::vector<std::string>{"3:last.h5", "6:last.h5", "7:best.h5", "7:last.h5"}));
    config.save_minutes = 0.0;
    CheckpointKeeper never = keeper(config);
    EXPECT_EQ(saves(never, 1, 7, 5000.0).size(), 2U);
}

TEST(CheckpointKeeper, NanIsNeverTheBestNorWritesOverIt) {
    CheckpointConfig config;
    config.monitor = "accuracy";
    config.mode = "max";
    config.save_best_only = true;
    const auto best_epochs = [&](const std::vector<double>& values) {
        CheckpointKeeper rule = keeper(config);
        std::vector<int> epochs;
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!rule.after_epoch(static_cast<std::int64_t>(i) + 1, 1, {{"accuracy", values[i]}})
                     .empty())
                epochs.push_back(static_cast<int>(i) + 1);
        return epochs;
    };
    EXPECT_EQ(best_epochs({nan, 0.5, 0.7}), (std::vector<int>{2, 3}));
    EXPECT_EQ(best_epochs({0.5, nan, 0.5, 0.6, nan}), (std::vector<int>{1, 4}));
    config.mode = "min";
    EXPECT_EQ(best_epochs({nan, 0.5, 0.7, 0.25}), (std::vector<int>{2, 4}));
}

TEST(CheckpointKeeper, NamesHaveEpochUpdateAndValues) {
    CheckpointConfig config;
    config.monitor = "loss";
    config.filename = "{epoch:02d}-{update:06d}-{val_loss:.3f}-{accuracy:.1e}.h5";
    config.keep_last = 3;
    CheckpointKeeper rule = keeper(config);
    const auto saved = rule.after_epoch(
        7, 1234, {{"loss", nan}, {"accuracy", 0.5}, {"val_loss", 0.12345}, {"val_accuracy", 1.0}});
    ASSERT_EQ(saved.size(), 1U);
    EXPECT_EQ(saved[0].path, "07-001234-0.123-5.0e-01.h5");
    EXPECT_TRUE(saved[0].rotate);
    EXPECT_NE(rule.retention("run"), nullptr);
    EXPECT_EQ(keeper({}).retention("run"), nullptr);
    config.filename.clear();
    CheckpointKeeper unnamed = keeper(config);
    EXPECT_EQ(unnamed.after_epoch(1, 40, {{"loss", nan}})[0].path, "checkpoint-000040.h5");
    config.save_freq = 2;
    config.filename = "{loss:.2f}.h5";
    CheckpointKeeper running = keeper(config);
    EXPECT_EQ(running.after_update(1, 2, 0,
                                   [] {
                                       return EpochValues{{"loss", 2.5}};
                                   })
                  ->path,
              "2.50.h5");
}

TEST(CheckpointKeeper, NamesThatCannotBeAreRefusedBeforeTheFirstStep) {
    const auto refusal = [](const std::string& name, std::int64_t save_freq = 0) {
        CheckpointConfig config;
        config.filename = name;
        config.keep_last = 2;
        config.save_freq = save_freq;
        return error_of([&] { keeper(config); });
    };
    const Error unknown = refusal("{epoch}-{val_acuracy}.h5");
    EXPECT_EQ(unknown.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(unknown.where(), "training.checkpoint.filename");
    EXPECT_EQ(unknown.hint(), "There are: epoch, update, loss, accuracy, val_loss, val_accuracy");
    EXPECT_EQ(refusal("{update}-{val_loss}.h5", 5).hint(),
              "There are: epoch, update, loss, accuracy");
    EXPECT_NE(refusal("model.h5").message().find("same name"), std::string::npos);
    EXPECT_NE(refusal("best.h5").message().find("uses itself"), std::string::npos);
    for (const char* name :
         {"{epoch:.3f}.keras", "a/{epoch}.h5", "{epoch.h5", "epoch}.h5", "{loss:d}-{epoch}.h5",
          "{epoch:.2d}.h5", "{epoch:99d}.h5", "{epoch:x}.h5", "{}.h5"})
        EXPECT_EQ(refusal(name).code(), ErrorCode::invalid_argument) << name;
    CheckpointConfig config;
    config.monitor = "val_acc";
    const Error monitor = error_of([&] { keeper(config); });
    EXPECT_EQ(monitor.where(), "training.checkpoint.monitor");
    EXPECT_EQ(monitor.hint(), "It will have: loss, accuracy, val_loss, val_accuracy");
}

}  // namespace
}  // namespace strata::train
