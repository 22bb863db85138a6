// Events as JSON and back: a followed run shows what the run itself would.
#include "engine/train/event_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

// By the text that both write.
void expect_comes_back(const std::vector<Event>& events, const std::vector<std::string>& metrics) {
    EventReader reader;
    for (const Event& event : events) {
        const std::string line = event_json(event, metrics).dump();
        const auto read = reader.read_line(line);
        ASSERT_TRUE(read) << line;
        EXPECT_EQ(read->index(), event.index()) << line;
        EXPECT_EQ(event_json(*read, metrics).dump(), line);
    }
}

class EventJson : public SmallRun {};

TEST_F(EventJson, EveryEventOfARunOnFourDevicesComesBack) {
    Json json = project();
    Json& layers = json["model"]["layers"];
    for (std::size_t i = layers.size() / 2; i < layers.size(); ++i) layers[i]["device"] = "cpu:1";
    json["placement"] = {{"threads", 1}, {"replicas", 2}, {"micro_batches", 2}};
    Recorder recorder;
    ASSERT_EQ(train_as(json, "run", recorder).state, RunState::finished);
    const auto plan = recorder.all<PlanEvent>().front();
    ASSERT_EQ(plan.devices.size(), 4U);
    EXPECT_NE(plan.device_description.find(", 1 thread,"), std::string::npos)
        << "as it was asked for, not the machine's: " << plan.device_description;
    device::MemoryBudget sum;
    for (const PlanEvent::Device& device : plan.devices) {
        EXPECT_GT(device.memory.total(), 0U) << device.name;
        for (std::size_t i = 0; i < device::category_count; ++i)
            sum.bytes[i] += device.memory.bytes[i];
    }
    EXPECT_EQ(plan.devices[3].name, "cpu:3");
    EXPECT_EQ(sum.total(), plan.memory.total());
    const auto timelines = recorder.all<TimelineEvent>();
    ASSERT_FALSE(timelines.empty());
    EXPECT_EQ(timelines.front().devices, 4);
    // Each device takes two micro-batches through its stages, there and back.
    EXPECT_GE(timelines.front().blocks.size(), 16U);
    EXPECT_GT(timelines.front().seconds, 0.0);
    for (const auto& block : timelines.front().blocks) {
        EXPECT_LE(block.begin, block.end);
        EXPECT_LT(block.device, 4);
    }
    expect_comes_back(recorder.events, plan.metrics);
}

TEST(EventReader, WhatIsRareComesBack) {
    const std::vector<std::string> metrics{"accuracy"};
    PlanEvent plan;
    plan.device = "cpu:0";
    plan.metrics = metrics;
    plan.devices.push_back({"cpu:0", plan.memory, 1 << 30});
    StepEvent step;
    step.metrics = {0.5};
    step.skipped = true;
    step.loss_scale = 1024.0;
    step.clip_limit = 1.5;
    EndEvent end;
    end.state = RunState::failed;
    end.test_loss = 0.25;
    end.test_metrics = {{"accuracy", 0.75}};
    end.reason = "no better val_loss for 3 epochs";
    end.error = Error(ErrorCode::numeric, "the loss is NaN", "layer 'hidden'", "Lower the rate");
    expect_comes_back(
        {plan, step,
         FindingEvent{FindingEvent::Kind::dead_units, 7, 2, "hidden", "many", "do", "f"},
         CheckpointEvent{"last.h5", 3, true, Error(ErrorCode::io, "full", "disk", "Make room")},
         TimelineEvent{9, 2, 0.5, 0.25, {{1, 1, 3, true, 0.125, 0.25}}}, end},
        metrics);
}

TEST(EventReader, AFigureThatADeviceDoesNotTellStaysAbsent) {
    MonitorEvent monitor;
    monitor.update = 7;
    monitor.wall_time = 1.5;
    monitor.devices.resize(3);
    monitor.devices[0].name = "cuda:0";
    device::Reading& all = monitor.devices[0].reading;
    all.used_bytes = std::size_t{60} << 30;
    all.free_bytes = 0;
    all.utilisation = 0.0;
    all.temperature = 41.0;
    all.power = 61.5;
    all.power_limit = 300.0;
    monitor.devices[1].name = "cpu:1";
    monitor.devices[1].reading.program_bytes = 12345;
    monitor.devices[1].reading.scope = device::LoadScope::threads;
    monitor.devices[2].name = "cuda:1";
    const Json json = event_json(monitor, {});
    EXPECT_EQ(json["devices"][0]["free_bytes"], 0);
    EXPECT_FALSE(json["devices"][1].contains("utilisation"));
    EventReader reader;
    const auto read = reader.read(json);
    ASSERT_TRUE(read);
    const auto& back = std::get<MonitorEvent>(*read);
    EXPECT_EQ(back.update, 7);
    EXPECT_EQ(back.wall_time, 1.5);
    ASSERT_EQ(back.devices.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(back.devices[i].name, monitor.devices[i].name);
        EXPECT_EQ(back.devices[i].reading, monitor.devices[i].reading);
    }
}

// Who follows a run does the same about a fault as for a run of its own.
TEST(EventReader, AFaultKeepsItsKind) {
    EventReader reader;
    for (const ErrorCode code :
         {ErrorCode::invalid_argument, ErrorCode::not_found, ErrorCode::io, ErrorCode::format,
          ErrorCode::out_of_memory, ErrorCode::unsupported, ErrorCode::interrupted,
          ErrorCode::numeric, ErrorCode::internal}) {
        EndEvent end;
        end.state = RunState::failed;
        end.error = Error(code, "what", "where", "hint");
        const auto read = reader.read_line(event_json(end, {}).dump());
        ASSERT_TRUE(read);
        EXPECT_EQ(std::get<EndEvent>(*read).error->code(), code);
    }
    for (const char* code : {"", R"("code": "of a later version", )"}) {
        const auto read =
            reader.read_line(std::string(R"({"event": "end", "status": "failed", "error": {)") +
                             code + R"("message": "no more", "where": "", "hint": ""}})");
        ASSERT_TRUE(read);
        EXPECT_EQ(std::get<EndEvent>(*read).error->code(), ErrorCode::interrupted) << code;
        EXPECT_EQ(std::get<EndEvent>(*read).error->message(), "no more");
    }
}

TEST(EventReader, ReadsWhatAnOlderVersionWrote) {
    EventReader reader;
    const auto event = reader.read_line(
        R"({"event": "plan", "device": "cpu:0", "memory_bytes": {"weights": 64}, "first_step": 5})");
    ASSERT_TRUE(event);
    const auto& plan = std::get<PlanEvent>(*event);
    ASSERT_EQ(plan.devices.size(), 1U);
    EXPECT_EQ(plan.devices[0].name, "cpu:0");
    EXPECT_EQ(plan.devices[0].memory.total(), 64U);
    EXPECT_EQ(plan.first_update, 4);
    const auto step = reader.read_line(R"({"event": "step", "step": 5, "loss": null})");
    ASSERT_TRUE(step);
    EXPECT_TRUE(std::isnan(std::get<StepEvent>(*step).loss));
}

TEST(EventReader, RefusesWhatIsNoEventAndLeavesOutWhatIsNew) {
    EventReader reader;
    EXPECT_FALSE(reader.read_line(R"({"event": "of a later version"})"));
    for (const char* wrong :
         {"[]", "{", R"({"event": "state", "state": "asleep"})",
          R"({"event": "timeline", "blocks": [[1, "two"]]})", R"({"event": "step", "loss": "x"})"})
        EXPECT_THROW(reader.read_line(wrong), Error) << wrong;
}

}  // namespace
}  // namespace strata::train
