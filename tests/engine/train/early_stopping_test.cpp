// When training ends early: SEMANTICS "Early stopping", and Keras's own callback on the same
// sequences (tests/references/early_stopping.json).
#include "engine/train/early_stopping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/io/bounded_reader.h"
#include "tests/engine/layers/error_of.h"

namespace strata::train {
namespace {

using strata::testing::error_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

EarlyStoppingConfig watching(const std::string& monitor = "loss") {
    EarlyStoppingConfig config;
    config.enabled = true;
    config.monitor = monitor;
    return config;
}

EarlyStopping rule(const EarlyStoppingConfig& config) {
    return {config, {"accuracy"}, true};
}

struct Outcome {
    std::int64_t epochs = 0;    // done
    std::int64_t weights = -1;  // of which epoch (from 0) they are at the end
    bool stopped = false;
};

Outcome run(EarlyStopping& early, const std::string& monitor, const std::vector<double>& values) {
    Outcome outcome;
    std::int64_t kept = -1;
    for (const double value : values) {
        const auto decision = early.after_epoch(outcome.epochs, {{monitor, value}});
        if (decision.keep_weights) kept = outcome.epochs;
        ++outcome.epochs;
        outcome.stopped = decision.stop;
        if (decision.stop) break;
    }
    outcome.weights = kept >= 0 ? kept : outcome.epochs - 1;
    return outcome;
}

Outcome run(const EarlyStoppingConfig& config, const std::vector<double>& values) {
    EarlyStopping early = rule(config);
    return run(early, config.monitor, values);
}

TEST(EarlyStopping, AConstantValueStopsAfterPatienceAndOneMore) {
    for (const std::int64_t patience : {1, 3, 7}) {
        EarlyStoppingConfig config = watching();
        config.patience = patience;
        EXPECT_EQ(run(config, std::vector<double>(20, 0.5)).epochs, patience + 1);
    }
}

TEST(EarlyStopping, ImprovementIsStrictAndMoreThanMinDelta) {
    EXPECT_EQ(run(watching(), {1, 0.9, 0.95, 0.1}).epochs, 3);
    EXPECT_EQ(run(watching(), {1, 0.9, 0.9, 0.1}).epochs, 3);
    EarlyStoppingConfig config = watching();
    config.patience = 1;
    config.min_delta = 0.25;
    EXPECT_EQ(run(config, {1, 0.75, 0.5}).epochs, 2);
    EXPECT_EQ(run(config, {1, 0.7, 0.5}).epochs, 3);
    config = watching("accuracy");  // auto: more is better
    config.min_delta = 0.125;
    EXPECT_EQ(run(config, {0.25, 0.5, 0.625, 1}).epochs, 3);
    EXPECT_EQ(run(config, {0.25, 0.5, 0.75, 1}).epochs, 4);
}

TEST(EarlyStopping, NanIsNeverAnImprovementNotEvenTheFirst) {
    EarlyStoppingConfig config = watching();
    config.patience = 2;
    EXPECT_EQ(run(config, {3, nan, nan, 1}).epochs, 3);
    EXPECT_FALSE(run(config, {nan, 3, 2, 1}).stopped);
    EarlyStopping early = rule(config);
    EXPECT_FALSE(early.after_epoch(0, {{"loss", nan}}).improved);
    EXPECT_TRUE(early.after_epoch(1, {{"loss", 3.0}}).improved);
    EXPECT_EQ(early.best_epoch(), 1);
}

TEST(EarlyStopping, TheBestWeightsAreKeptHoweverItEnds) {
    EarlyStoppingConfig config = watching();
    config.patience = 5;
    EXPECT_EQ(run(config, {5, 4, 3, 2, 2.5}).weights, 4);  // not asked for
    config.restore_best_weights = true;
    const Outcome outcome = run(config, {5, 4, 3, 2, 2.5});
    EXPECT_FALSE(outcome.stopped);
    EXPECT_EQ(outcome.weights, 3);
    EXPECT_EQ(run(config, {nan, nan}).weights, 0);  // none improved: the first that counts
    config.start_from_epoch = 2;
    EXPECT_EQ(run(config, {1, 2, 9, 8, 8.5}).weights, 3);
}

TEST(EarlyStopping, PatienceRunsUntilTheBaselineIsBeaten) {
    EarlyStoppingConfig config = watching();
    config.patience = 2;
    config.baseline = 0.4;
    EXPECT_EQ(run(config, {1, 0.9, 0.8, 0.85, 0.3}).epochs, 4);
    EXPECT_EQ(run(config, {1, 0.3, 0.35, 0.35, 0.2}).epochs, 4);
    EarlyStopping early = rule(config);
    run(early, "loss", {1, 0.9, 0.8, 0.85});
    EXPECT_EQ(early.reason(),
              "Stopped after epoch 4: loss was best in epoch 3 (0.8000) and did not beat the "
              "baseline 0.4000");
}

TEST(EarlyStopping, AgreesWithKeras) {
    const Json cases = parse_json(
        io::read_text_file(STRATA_SOURCE_DIR "/tests/references/early_stopping.json"), "reference");
    ASSERT_GT(cases.size(), 200U);
    int stops = 0;
    for (const Json& entry : cases) {
        SCOPED_TRACE(entry.dump());
        const Json& keras = entry["config"];
        EarlyStoppingConfig config = watching();
        config.mode = keras["mode"].get<std::string>();
        config.patience = keras.value("patience", std::int64_t{0});
        config.min_delta = keras.value("min_delta", 0.0);
        config.start_from_epoch = keras.value("start_from_epoch", std::int64_t{0});
        config.restore_best_weights = keras.value("restore_best_weights", false);
        if (keras.contains("baseline")) config.baseline = keras["baseline"].get<double>();
        std::vector<double> values;
        for (const Json& value : entry["values"])
            values.push_back(value.is_null() ? nan : value.get<double>());
        const Outcome outcome = run(config, values);
        EXPECT_EQ(outcome.epochs, entry["epochs"].get<std::int64_t>());
        EXPECT_EQ(outcome.stopped, entry["stopped"].get<bool>());
        EXPECT_EQ(outcome.weights, entry["weights"].get<std::int64_t>());
        stops += outcome.stopped ? 1 : 0;
    }
    EXPECT_GT(stops, 50);
}

TEST(EarlyStopping, ItsStateGoesOnWhereItWasAndANewOneIsFresh) {
    EarlyStoppingConfig config = watching();
    config.patience = 3;
    config.restore_best_weights = true;
    const std::vector<double> values{4, 3, 3.5, nan, 3.25, 1};
    for (std::size_t cut = 0; cut < 5; ++cut) {
        EarlyStopping before = rule(config), after = rule(config);
        for (std::size_t i = 0; i < cut; ++i)
            before.after_epoch(static_cast<std::int64_t>(i), {{"loss", values[i]}});
        after.restore(parse_json(before.state().dump(), "state"));
        EXPECT_EQ(after.state(), before.state());
        std::int64_t epoch = static_cast<std::int64_t>(cut);
        while (!after.after_epoch(epoch, {{"loss", values[static_cast<std::size_t>(epoch)]}}).stop)
            ++epoch;
        EXPECT_EQ(epoch, 4) << cut;
        EXPECT_EQ(after.best_epoch(), 1);
        EXPECT_EQ(after.reason(), "Stopped after epoch 5: loss was best in epoch 2 (3.0000)");
    }
    EarlyStopping infinite = rule(config), fresh = rule(config);
    infinite.after_epoch(0, {{"loss", std::numeric_limits<double>::infinity()}});
    const Json state = infinite.state();
    fresh.restore(parse_json(state.dump(), "state"));
    EXPECT_EQ(fresh.state(), state);
    fresh.restore(Json());
    EXPECT_EQ(fresh.state(), rule(config).state());
    config.monitor = "val_accuracy";  // another measure
    EarlyStopping other = rule(config);
    other.restore(state);
    EXPECT_EQ(other.state(), rule(config).state());
}

TEST(EarlyStopping, AnUnknownMonitorIsRefusedWithThoseThereAre) {
    const Error error = error_of([] { rule(watching("val_acuracy")); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error.where(), "training.early_stopping.monitor");
    EXPECT_EQ(error.hint(), "It will have: loss, accuracy, val_loss, val_accuracy");
    EXPECT_NE(error.message().find("val_acuracy"), std::string::npos);
    EXPECT_THROW(EarlyStopping(watching("val_accuracy"), {"accuracy"}, false), Error);
    EXPECT_EQ(EarlyStopping(watching("val_loss"), {}, false).monitor(), "loss");
    EarlyStoppingConfig off = watching("nothing");
    off.enabled = false;
    EarlyStopping never = rule(off);
    EXPECT_FALSE(never.after_epoch(5, {{"loss", nan}}).stop);
    EXPECT_TRUE(never.state().is_null());
    EarlyStoppingConfig bad = watching();
    bad.patience = -1;
    EXPECT_EQ(error_of([&] { rule(bad); }).where(), "training.early_stopping.patience");
    bad = watching();
    bad.baseline = nan;
    EXPECT_EQ(error_of([&] { rule(bad); }).where(), "training.early_stopping.baseline");
}

}  // namespace
}  // namespace strata::train
