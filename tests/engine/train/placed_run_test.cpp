// Runs on several devices of one process: the same losses as on one, exact resuming, and going on
// with another placement.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

// Two replicas of a pipeline of two stages.
Json two_by_two() {
    return {{"threads", 1}, {"replicas", 2}, {"micro_batches", 2}, {"schedule", "1f1b"}};
}

class PlacedRun : public SmallRun {
protected:
    // Batches of 8 samples on any placement; normalized by no batch's statistics.
    Json batchless(const Json& placement, int batch_size) const {
        Json json = project();
        json["model"]["layers"].erase(4);
        json["data"]["pipeline"][1]["batch_size"] = batch_size;
        json["training"]["clipping"] = {{"type", "global_clipnorm"}, {"value", 0.5}};
        json["training"]["ema"] = {{"momentum", 0.9}};
        json["placement"] = placement;
        return json;
    }
    static Json on_two_devices(Json json) {
        Json& layers = json["model"]["layers"];
        for (std::size_t i = layers.size() / 2; i < layers.size(); ++i)
            layers[i]["device"] = "cpu:1";
        return json;
    }
};

TEST_F(PlacedRun, TrainsAsOnOneDevice) {
    Recorder one, replicas, both;
    ASSERT_EQ(train_as(batchless({{"threads", 1}}, 8), "one", one).state, RunState::finished);
    ASSERT_EQ(train_as(batchless({{"replicas", 4}}, 2), "replicas", replicas).state,
              RunState::finished);
    ASSERT_EQ(train_as(on_two_devices(batchless(two_by_two(), 4)), "both", both).state,
              RunState::finished);
    for (const Recorder* many : {&replicas, &both}) {
        const auto a = one.all<StepEvent>(), b = many->all<StepEvent>();
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_NEAR(a[i].loss, b[i].loss, 1e-5 * a[i].loss) << i;
            EXPECT_NEAR(a[i].gradient_norm, b[i].gradient_norm, 1e-4 * a[i].gradient_norm) << i;
            EXPECT_EQ(a[i].samples, b[i].samples);
        }
        const auto p = one.all<EpochEvent>(), q = many->all<EpochEvent>();
        ASSERT_EQ(p.size(), q.size());
        for (std::size_t i = 0; i < p.size(); ++i) {
            EXPECT_NEAR(*p[i].val_loss, *q[i].val_loss, 1e-4);
            EXPECT_EQ(p[i].val_metrics, q[i].val_metrics);
        }
    }
    const auto plan = both.all<PlanEvent>().front();
    EXPECT_EQ(plan.device, "cpu:0, cpu:1, cpu:2, cpu:3");
}

TEST_F(PlacedRun, ResumesBitForBit) {
    Json json = on_two_devices(project());
    json["placement"] = two_by_two();
    json["data"]["pipeline"][1]["batch_size"] = 3;
    json["training"]["precision"] = "mixed_float16";
    json["training"]["loss_scale"] = {{"initial", 0x1p20}, {"growth_interval", 7}};
    json["training"]["gradient_accumulation_steps"] = 2;
    Recorder whole;
    ASSERT_EQ(train_as(json, "whole", whole).state, RunState::finished);
    const auto steps = whole.all<StepEvent>();
    ASSERT_GT(steps.size(), 9U);
    for (std::size_t cut = 1; cut < steps.size(); cut += 2) {
        const std::string name = "cut-" + std::to_string(cut);
        Recorder first, second;
        auto control = std::make_shared<Control>();
        std::size_t seen = 0;
        first.on_step = [&](const StepEvent&) {
            if (++seen == cut) control->stop();
        };
        ASSERT_EQ(train_as(json, name, first, false, control).state, RunState::stopped);
        ASSERT_EQ(train_as(json, name, second, true).state, RunState::finished);
        std::vector<StepEvent> joined = first.all<StepEvent>();
        for (const StepEvent& step : second.all<StepEvent>()) joined.push_back(step);
        ASSERT_EQ(joined.size(), steps.size()) << "cut after " << cut;
        for (std::size_t i = 0; i < steps.size(); ++i)
            EXPECT_EQ(joined[i].loss, steps[i].loss) << "cut " << cut << ", step " << i;
    }
}

// 2 x 2 devices, then 1, then 4 replicas: as if nothing had changed.
TEST_F(PlacedRun, GoesOnWithAnotherPlacement) {
    Recorder whole;
    ASSERT_EQ(train_as(batchless({{"threads", 1}}, 8), "whole", whole).state, RunState::finished);
    const auto steps = whole.all<StepEvent>();
    const std::vector<Json> parts{on_two_devices(batchless(two_by_two(), 4)),
                                  batchless({{"threads", 1}}, 8), batchless({{"replicas", 4}}, 2)};
    std::vector<StepEvent> joined;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Recorder recorder;
        auto control = std::make_shared<Control>();
        recorder.on_step = [&](const StepEvent& step) {
            if (i + 1 < parts.size() && step.update == static_cast<std::int64_t>(6 * (i + 1)))
                control->stop();
        };
        const EndEvent end = train_as(parts[i], "joined", recorder, i > 0, control);
        ASSERT_NE(end.state, RunState::failed) << end.error->what();
        for (const StepEvent& step : recorder.all<StepEvent>()) joined.push_back(step);
    }
    ASSERT_EQ(joined.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        EXPECT_NEAR(joined[i].loss, steps[i].loss, 1e-4 * steps[i].loss) << i;
}

TEST_F(PlacedRun, RefusesMoreDevicesThanItWouldUse) {
    Json json = project();
    json["placement"] = {{"devices", {"cpu:0", "cpu:1"}}};
    Recorder recorder;
    const EndEvent end = train_as(json, "run", recorder);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->where(), "placement.devices");
}

TEST_F(PlacedRun, TheProjectKeepsItsPlacement) {
    Json json = project();
    json["placement"] = {
        {"threads", 2},        {"replicas", 2},      {"devices", {"cpu:0", "cpu:1"}},
        {"schedule", "gpipe"}, {"micro_batches", 4}, {"sharded_optimizer", false}};
    EXPECT_EQ(project_to_json(config(json)).at("placement"), json["placement"]);
    for (const auto& [key, value] : {std::pair<const char*, Json>{"replicas", 0},
                                     {"replicas", "two"},
                                     {"schedule", "gpip"},
                                     {"micro_batches", 0},
                                     {"sharded_optimizer", 1},
                                     {"devices", "cpu:0"},
                                     {"device", "cpu:0"}}) {
        Json wrong = project();
        wrong["placement"] = {{key, value}};
        try {
            config(wrong);
            ADD_FAILURE() << key << " " << value;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("placement"), std::string::npos)
                << error.what();
        }
    }
}

}  // namespace
}  // namespace strata::train
