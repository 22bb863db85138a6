// What a person sees of a run in a terminal: a bar that is drawn again, or plain lines in a file.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "engine/train/events.h"

namespace strata::cli {

std::string duration_text(double seconds);  // "0:07", "1:02:03"

class Progress {
public:
    // live: `out` is a terminal. ranks: processes that train together.
    Progress(std::FILE* out, bool live, int ranks = 1) : out_(out), live_(live), ranks_(ranks) {}

    void show(const train::Event& event);

private:
    void show(const train::PlanEvent& plan);
    void show(const train::StepEvent& step);
    void show(const train::EpochEvent& epoch);
    void show(const train::CheckpointEvent& checkpoint);
    void show(const train::LogEvent& entry);
    void show(const train::MarkEvent& mark);
    void show(const train::FindingEvent& finding);
    void show(const train::PipelineEvent&) {}  // too much for a terminal; --json prints it
    void show(const train::TimelineEvent&) {}  // likewise
    void show(const train::MonitorEvent& monitor);
    void show(const train::EndEvent& end);
    void show(const train::StateEvent& state);

    void follow(const train::StepEvent& step);
    std::string bar(const train::StepEvent& step) const;
    void clear_bar();
    void line(const std::string& text);

    std::FILE* out_;
    bool live_, drawn_ = false, paused_ = false;
    int ranks_;
    std::chrono::steady_clock::time_point last_drawn_;
    train::PlanEvent plan_;
    std::int64_t epoch_ = 0;           // of the last step
    std::int64_t updates_before_ = 0;  // of the run before that epoch
    std::string load_;                 // of the devices, as last told
};

}  // namespace strata::cli
