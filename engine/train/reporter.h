// What a run tells: events to the sink, values to the log on disk, and the rates and memory that it
// measures on the way. Used by the trainer.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/data/pipeline.h"
#include "engine/train/device_watch.h"
#include "engine/train/meters.h"
#include "engine/train/run_log.h"
#include "engine/train/stepper.h"
#include "engine/train/world.h"

namespace strata::train {

class Reporter {
public:
    explicit Reporter(EventSink sink) : sink_(std::move(sink)) {}

    void emit(const Event& event) const {
        if (sink_) sink_(event);
    }
    void say(std::string text, LogEvent::Level level = LogEvent::Level::info) const {
        emit(LogEvent{level, std::move(text)});
    }
    void warn(std::string text) const { say(std::move(text), LogEvent::Level::warning); }

    // The log on disk; resume_step as RunLog has it. position: of the checkpoint that a run goes on
    // from; what stands behind it in the log will come again.
    void open_log(const std::string& directory, const std::vector<std::string>& metrics,
                  std::optional<std::int64_t> resume_step, const Json& position);
    bool has_log() const { return log_ != nullptr; }
    Json log_position() const { return log_ ? log_->position() : Json(); }
    void flush();

    // What was planned, and what a user may want to know before step 1.
    void announce(const PreparedRun& run, const PlanEvent& plan) const;
    void step(const StepOutcome& outcome, const checkpoint::TrainingState& state);
    void epoch(const EpochEvent& event);
    void mark(MarkEvent::Kind kind, std::int64_t update, double value, std::string text);
    // About once a second.
    void pipeline(const data::Pipeline& pipeline);
    // Of several batches in that second the one of median length: one alone may be an outlier.
    void timeline(const graph::ModelExecutor& executor, std::int64_t update);
    // From now on this process's devices are read beside the training. joined: the plan's devices
    // of all ranks, where there are several.
    void watch(const std::vector<std::string>& devices, std::vector<std::string> joined);
    bool has_readings() const { return watch_ && watch_->has_news(); }
    // What they said. Of several ranks only monitor_ranks() tells it, called by all together.
    void monitor(std::int64_t update);
    void monitor_ranks(std::int64_t update, World& world);

    RateMeter rate;

private:
    void tell(MonitorEvent event, std::int64_t update);
    // A log that cannot be written is told once; training goes on.
    template <typename Write>
    void write(Write&& to_log);

    EventSink sink_;
    std::unique_ptr<RunLog> log_;
    std::unique_ptr<DeviceWatch> watch_;
    std::vector<std::string> joined_devices_;
    MonitorEvent last_reading_;  // of this process
    bool log_failed_ = false;
    std::size_t resident_bytes_ = 0;
    std::chrono::steady_clock::time_point resident_read_, pipeline_told_, timeline_told_,
        timeline_seen_;
    std::vector<TimelineEvent> timelines_;  // since the last that was told
};

}  // namespace strata::train
