// The trainer's decisions on many devices are those on one: early stopping, best weights, partial
// windows, the loss scale, checkpoints; and a run that is stopped anywhere ends.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

struct Way {
    const char* name;
    Json placement;
    int batch;        // of a replica, so that all of them see 12 samples a batch
    int devices = 1;  // that the layers are spread over
};

std::vector<Way> ways() {
    return {{"replicas", {{"replicas", 4}}, 3},
            {"stages", {{"micro_batches", 3}, {"schedule", "gpipe"}}, 12, 2},
            {"both", {{"replicas", 2}, {"micro_batches", 2}, {"schedule", "1f1b"}}, 6, 2},
            {"interleaved", {{"micro_batches", 4}, {"schedule", "interleaved"}}, 12, 2}};
}

class PlacedMethods : public SmallRun {
protected:
    // Without what takes its statistics from a batch; noisy, so that the validation loss turns.
    Json on(Json json, const Way& way) const {
        json["data"]["pipeline"][1]["batch_size"] = way.batch;
        json["placement"] = way.placement;
        json["placement"]["threads"] = 1;
        Json& layers = json["model"]["layers"];
        const bool interleaved = way.placement.value("schedule", "") == "interleaved";
        const std::size_t stages = static_cast<std::size_t>(way.devices) * (interleaved ? 2 : 1);
        for (std::size_t i = 0; i < layers.size(); ++i)
            layers[i]["device"] = "cpu:" + std::to_string(i * stages / layers.size() %
                                                          static_cast<std::size_t>(way.devices));
        return json;
    }
    Json batchless() const {
        Json json = project();
        json["model"]["layers"].erase(4);
        json["training"]["optimizer"] = {{"type", "Adam"}, {"config", {{"learning_rate", 0.05}}}};
        return json;
    }
    Way one() const { return {"one", {{"threads", 1}}, 12}; }
};

void expect_same_course(const Recorder& many, const Recorder& one, double tolerance) {
    const auto a = many.all<StepEvent>(), b = one.all<StepEvent>();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < b.size(); ++i) {
        EXPECT_NEAR(a[i].loss, b[i].loss, tolerance * std::abs(b[i].loss)) << i;
        EXPECT_EQ(a[i].update, b[i].update) << i;
        EXPECT_EQ(a[i].epoch, b[i].epoch) << i;
        EXPECT_EQ(a[i].samples, b[i].samples) << i;
        EXPECT_EQ(a[i].skipped, b[i].skipped) << i;
        EXPECT_EQ(a[i].loss_scale, b[i].loss_scale) << i;
        EXPECT_DOUBLE_EQ(a[i].learning_rate, b[i].learning_rate) << i;
    }
}

TEST_F(PlacedMethods, StopsEarlyWithTheBestWeights) {
    Json json = batchless();
    json["training"]["epochs"] = 30;
    json["training"]["early_stopping"] = {
        {"monitor", "val_loss"}, {"patience", 2}, {"restore_best_weights", true}};
    json["training"]["checkpoint"] = {{"monitor", "val_loss"}, {"save_minutes", 0}};
    Recorder first;
    const EndEvent expected = train_as(on(json, one()), "one", first);
    ASSERT_EQ(expected.state, RunState::finished);
    const auto epochs = first.all<EpochEvent>();
    ASSERT_LT(epochs.size(), 30U) << "it has to stop early";
    for (const Way& way : ways()) {
        SCOPED_TRACE(way.name);
        Recorder recorder;
        ASSERT_EQ(train_as(on(json, way), way.name, recorder).state, RunState::finished);
        expect_same_course(recorder, first, 1e-3);
        ASSERT_EQ(recorder.all<EpochEvent>().size(), epochs.size());
        const auto a = state_in(way.name), b = state_in("one");
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t e = 0; e < a[i].values.size(); ++e)
                ASSERT_NEAR(a[i].values[e], b[i].values[e], 2e-3) << a[i].layer << a[i].role;
    }
}

// 53 samples in batches of 12 and windows of 2: 5 batches and 3 updates an epoch, the last of them
// of one batch with 5 samples.
TEST_F(PlacedMethods, AppliesThePartialWindow) {
    Json json = batchless();
    json["training"]["gradient_accumulation_steps"] = 2;
    json["training"]["clipping"] = {{"type", "global_clipnorm"}, {"value", 0.5}};
    json["training"]["ema"] = {{"momentum", 0.9}};
    Recorder first;
    ASSERT_EQ(train_as(on(json, one()), "one", first).state, RunState::finished);
    ASSERT_EQ(first.all<StepEvent>().size(), 9U);
    for (const Way& way : ways()) {
        SCOPED_TRACE(way.name);
        Recorder recorder;
        ASSERT_EQ(train_as(on(json, way), way.name, recorder).state, RunState::finished);
        expect_same_course(recorder, first, 2e-5);
    }
}

// A loss scale that overflows first, halves, and doubles again every 4 finite steps.
TEST_F(PlacedMethods, ScalesTheLossByTheSameSteps) {
    Json json = batchless();
    json["training"]["precision"] = "mixed_float16";
    json["training"]["loss_scale"] = {{"initial", 0x1p22}, {"growth_interval", 4}};
    Recorder first;
    const EndEvent expected = train_as(on(json, one()), "one", first);
    ASSERT_EQ(expected.state, RunState::finished);
    ASSERT_GT(expected.skipped_steps, 0);
    // Overflow depends on sums' last bits only at the very edge of float16's range.
    for (const Way& way : ways()) {
        SCOPED_TRACE(way.name);
        Recorder recorder;
        const EndEvent end = train_as(on(json, way), way.name, recorder);
        ASSERT_EQ(end.state, RunState::finished);
        EXPECT_EQ(end.skipped_steps, expected.skipped_steps);
        expect_same_course(recorder, first, 2e-2);
    }
}

// Saved on one placement and loaded on the next, all techniques on, three times over.
TEST_F(PlacedMethods, ResumesOnAnotherPlacement) {
    Json json = batchless();
    json["training"]["epochs"] = 5;
    json["training"]["gradient_accumulation_steps"] = 2;
    json["training"]["ema"] = {{"momentum", 0.9}};
    json["training"]["clipping"] = {{"type", "clipnorm"}, {"value", 0.4}};
    json["training"]["learning_rate_schedule"] = {{"type", "CosineDecay"}};
    Recorder whole;
    ASSERT_EQ(train_as(on(json, one()), "whole", whole).state, RunState::finished);
    const auto steps = whole.all<StepEvent>();
    std::vector<Way> chain = ways();
    chain.insert(chain.begin() + 2, one());
    std::vector<StepEvent> joined;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        Recorder recorder;
        auto control = std::make_shared<Control>();
        recorder.on_step = [&](const StepEvent& step) {
            if (i + 1 < chain.size() && step.update == static_cast<std::int64_t>(3 * i + 2))
                control->stop();
        };
        const EndEvent end = train_as(on(json, chain[i]), "joined", recorder, i > 0, control);
        ASSERT_NE(end.state, RunState::failed) << end.error->what();
        for (const StepEvent& step : recorder.all<StepEvent>()) joined.push_back(step);
    }
    ASSERT_EQ(joined.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_NEAR(joined[i].loss, steps[i].loss, 1e-4 * steps[i].loss) << i;
        EXPECT_DOUBLE_EQ(joined[i].learning_rate, steps[i].learning_rate) << i;
        EXPECT_EQ(joined[i].samples, steps[i].samples) << i;
    }
}

// From another thread, at another moment each time.
TEST_F(PlacedMethods, AStopAnywhereEndsTheRun) {
    Json json = batchless();
    json["training"]["epochs"] = 100000;
    json["training"]["checkpoint"] = nullptr;
    const std::vector<Way> all = ways();
    for (int i = 0; i < 100; ++i) {
        const Way& way = all[static_cast<std::size_t>(i) % all.size()];
        Recorder recorder;
        auto control = std::make_shared<Control>();
        std::thread stopper([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(211 * i));
            control->stop();
        });
        const EndEvent end =
            train_as(on(json, way), "run-" + std::to_string(i), recorder, false, control);
        stopper.join();
        ASSERT_EQ(end.state, RunState::stopped) << way.name << " " << i;
    }
}

}  // namespace
}  // namespace strata::train
