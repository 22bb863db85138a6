// Requests by file: what is written is read, a run does it, and bad content is a warning.
#include "engine/train/control_file.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;

std::string fault(const Json& json) {
    try {
        control_from_json(json, "control.json");
    } catch (const Error& error) {
        return error.where() + ": " + error.message();
    }
    return {};
}

TEST(ControlFile, WhatIsWrittenIsRead) {
    ControlRequest request;
    request.save = request.pause = true;
    request.learning_rate = 3e-4;
    request.weight_decay = 0.0;
    const ControlRequest read = control_from_json(control_to_json(request), "control.json");
    EXPECT_TRUE(read.save && read.pause);
    EXPECT_FALSE(read.resume || read.step || read.stop || read.clip_limit);
    EXPECT_EQ(read.learning_rate, 3e-4);
    EXPECT_EQ(read.weight_decay, 0.0);
}

TEST(ControlFile, RefusesWhatMakesNoSense) {
    for (const Json& json :
         {Json::array(), Json::object(), Json{{"pauze", true}}, Json{{"pause", 1}},
          Json{{"pause", true}, {"resume", true}}, Json{{"pause", true}, {"stop", true}},
          Json{{"resume", true}, {"stop", true}}, Json{{"step", true}, {"stop", true}},
          Json{{"learning_rate", 1e300}}, Json{{"learning_rate", "fast"}},
          Json{{"learning_rate", std::nan("")}}, Json{{"clip_limit", 0.0}},
          Json{{"clip_limit", 1e-300}}, Json{{"weight_decay", 1e7}}, Json{{"clip_limit", -1.0}},
          Json{{"weight_decay", -0.1}}})
        EXPECT_NE(fault(json).find("control.json"), std::string::npos) << json.dump();
    EXPECT_NE(fault(Json{{"learning_rate", -1.0}}).find("learning_rate"), std::string::npos);
}

// One rule: what a project may hold, a run that goes on may be set to, and nothing else.
TEST(ControlFile, TakesTheValuesThatAProjectTakes) {
    const auto project_takes = [](const char* key, double value) {
        Json training = Json::object();
        if (std::string(key) == "clip_limit")
            training["clipping"] = {{"type", "clipnorm"}, {"value", value}};
        else
            training["optimizer"] = {{"type", "AdamW"}, {"config", {{key, value}}}};
        try {
            project_from_json({{"strata", 1}, {"training", training}}, "project");
            return true;
        } catch (const Error&) {
            return false;
        }
    };
    for (const char* key : {"learning_rate", "clip_limit", "weight_decay"})
        for (const double value : {-1.0, 0.0, 1e-300, 1e-40, 1e-12, 1.0, 1e6, 2e6, 1e29, 1e31,
                                   1e300, std::nan(""), HUGE_VAL})
            EXPECT_EQ(fault(Json{{key, value}}).empty(), project_takes(key, value))
                << key << " " << value;
}

class ControlFileRun : public SmallRun {};

// What no rule allows may still be asked for by a program that holds the run.
TEST_F(ControlFileRun, AWrongSettingIsAWarningAndChangesNothing) {
    auto control = std::make_shared<Control>();
    Recorder recorder;
    recorder.on_step = [&](const StepEvent& step) {
        if (step.update == 1) {
            control->set_learning_rate(1e300);
            control->set_weight_decay(-1.0);
        }
    };
    const EndEvent end = train_as(project(), "run", recorder, false, control);
    ASSERT_EQ(end.state, RunState::finished) << (end.error ? end.error->what() : "");
    EXPECT_TRUE(recorder.all<MarkEvent>().empty());
    std::string told;
    for (const LogEvent& event : recorder.all<LogEvent>()) told += event.text + "\n";
    EXPECT_NE(told.find("learning rate"), std::string::npos) << told;
    EXPECT_NE(told.find("weight decay"), std::string::npos);
}

TEST_F(ControlFileRun, NoRunIsActive) {
    ControlRequest request;
    request.stop = true;
    fs::create_directories(run_directory("run"));
    for (const char* name : {"run", "nowhere"}) {
        try {
            send_control(run_directory(name), request);
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_NE(error.where().find(name), std::string::npos);
        }
    }
    EXPECT_FALSE(fs::exists(run_directory("run/control.json")));
}

// The watch is made as `strata train` makes it; the requests come from this thread.
TEST_F(ControlFileRun, ARunTakesRequestsAndWarnsOfBadOnes) {
    Json json = project();
    json["training"]["epochs"] = 1000000;
    json["training"]["checkpoint"] = nullptr;
    auto control = std::make_shared<Control>();
    Recorder recorder;
    std::atomic<bool> begun{false}, warned{false};
    std::unique_ptr<ControlWatch> watch;
    const auto record = recorder.sink();
    const auto sink = [&](const Event& event) {
        if (!std::holds_alternative<StepEvent>(event)) record(event);
        if (const auto* plan = std::get_if<PlanEvent>(&event))
            watch = std::make_unique<ControlWatch>(plan->run_directory, control);
        if (std::holds_alternative<StepEvent>(event)) begun = true;
        if (const auto* log = std::get_if<LogEvent>(&event))
            if (log->text.find("pauze") != std::string::npos) warned = true;
    };
    const std::string directory = run_directory("run");
    std::thread engine([&] { Trainer(config(json), {directory}, sink, control).run(); });
    const auto wait_for = [](const std::atomic<bool>& flag) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!flag && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return flag.load();
    };
    EXPECT_TRUE(wait_for(begun));
    std::ofstream(directory + "/control.json") << R"({"pauze": true})";
    EXPECT_TRUE(wait_for(warned));
    ControlRequest request;
    request.learning_rate = 0.0625;
    request.save = true;
    EXPECT_NO_THROW(send_control(directory, request));
    ControlRequest limit;
    limit.clip_limit = 0.5;
    try {
        send_control(directory, limit);
        ADD_FAILURE() << "this run does not clip";
    } catch (const Error& error) {
        EXPECT_NE(error.message().find("does not clip"), std::string::npos) << error.what();
    }
    ControlRequest stop;
    stop.stop = true;
    EXPECT_NO_THROW(send_control(directory, stop));
    engine.join();
    watch.reset();
    EXPECT_FALSE(fs::exists(directory + "/control.json"));
    bool marked = false;
    for (const MarkEvent& mark : recorder.all<MarkEvent>())
        marked = marked || (mark.kind == MarkEvent::Kind::learning_rate && mark.value == 0.0625);
    EXPECT_TRUE(marked);
    EXPECT_GE(recorder.all<CheckpointEvent>().size(), 2U);  // the one asked for, and the last
}

}  // namespace
}  // namespace strata::train
