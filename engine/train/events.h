// What a run tells the outside: plain values, in order, from the trainer's thread. Sinks must be
// quick and must not throw.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/error.h"
#include "engine/device/arena.h"
#include "engine/device/monitor.h"

namespace strata::train {

enum class RunState : std::uint8_t {
    ready,
    preparing,
    running,
    pausing,
    paused,
    stopping,
    finished,
    stopped,
    failed
};
const char* name_of(RunState state);

struct StateEvent {
    RunState state;
};

// Once, after preparing: what was planned.
struct PlanEvent {
    struct Device {
        std::string name;  // "cpu:0"
        device::MemoryBudget memory;
        std::size_t memory_limit = 0;  // bytes; 0 = unknown
    };
    std::string device;  // "cpu:0", or the names of all
    std::string device_description;
    device::MemoryBudget memory;   // the arenas' parts, of all devices together
    std::vector<Device> devices;   // replica by replica; of several ranks all, as "rank1/cpu:0"
    std::size_t memory_limit = 0;  // bytes; 0 = unknown
    std::int64_t parameters = 0, train_samples = 0, validation_samples = 0, test_samples = 0;
    std::int64_t epochs = 0, updates_per_epoch = 0;
    std::int64_t first_update = 0, first_sample = 0;  // how many were done and seen before (resume)
    std::vector<std::string> metrics;                 // names, as in StepEvent::metrics
    std::vector<std::string> fusions;
    std::string run_directory;
};

struct StepEvent {
    std::int64_t update = 0;      // from 1, over all epochs
    std::int64_t epoch = 0;       // from 1
    double loss = 0.0;            // mean over the batch
    std::vector<double> metrics;  // of the batch
    double learning_rate = 0.0;
    double gradient_norm = 0.0;
    double samples_per_s = 0.0;     // training only, smoothed over about a second
    double wall_time = 0.0;         // seconds since the epoch 1970
    std::int64_t samples = 0;       // seen in all
    std::size_t process_bytes = 0;  // resident memory of the process, refreshed about once a second
    double loss_scale = 1.0;        // that this step used
    // True where the gradient was not finite: nothing was changed, and `update` is the last one
    // that was applied.
    bool skipped = false;
    double clip_limit = 0.0;  // 0: no clipping
};

// What a mark on the curves stands for; each is a line of the log, too.
struct MarkEvent {
    enum class Kind : std::uint8_t {
        resumed,
        learning_rate,  // changed by hand or on a plateau
        clip_limit,     // changed by hand
        weight_decay,   // changed by hand
        loss_scale,     // halved or doubled
        early_stop,
        paused
    } kind = Kind::resumed;
    std::int64_t update = 0;
    double value = 0.0;  // the new one, where there is one
    std::string text;
};
const char* name_of(MarkEvent::Kind kind);  // "learning_rate"

// What the training doctor found, once for each kind and layer until it is over.
struct FindingEvent {
    enum class Kind : std::uint8_t {
        overfitting,
        plateau,
        dead_units,
        exploding_gradients,
        vanishing_gradients,
        learning_rate_too_high,
        starved_of_data
    } kind = Kind::plateau;
    std::int64_t update = 0, epoch = 0;
    std::string layer;     // "" where it is of the whole run
    std::string evidence;  // numbers in words: "41 of 128 units gave 0 for all of 512 samples"
    std::string advice;    // the way out
    // A change of the project that follows the advice:
    // "training.optimizer.config.learning_rate=3e-4";
    // "" where there is none.
    std::string fix;
};
const char* name_of(FindingEvent::Kind kind);

// About once a second: where the data are.
struct PipelineEvent {
    struct Stage {
        std::string name;            // "read", "map", "batch", "prefetch"
        double samples_per_s = 0.0;  // that it can do with its threads
        double busy = 0.0;           // share of the time, 0..1
        double fill = 0.0;           // of the queue behind it, 0..1
        std::int64_t queue = 0;      // batches that fit into that queue; 0: there is none
        int threads = 1;
    };
    std::vector<Stage> stages;
    double wait_share = 0.0;  // of the time since the last event that the device waited for data
    std::string sentence;     // "The device waits for data 3 % of the time; 'map' is at its limit"
};

// About once a second where several devices work together: when each worked on what in the last
// batch, as measured.
struct TimelineEvent {
    struct Block {
        int device = 0;  // into PlanEvent::devices
        int stage = 0, micro_batch = 0;
        bool backward = false;
        double begin = 0.0, end = 0.0;  // seconds since the batch's begin
    };
    std::int64_t update = 0;
    int devices = 0;
    double seconds = 0.0;     // from the begin to the last block's end
    double idle_share = 0.0;  // of all devices together, 0 to 1
    std::vector<Block> blocks;
};

// About twice a second: what the devices tell of themselves. A figure that a device does not tell
// is absent.
struct MonitorEvent {
    struct Device {
        std::string name;  // as in PlanEvent::devices, each once
        device::Reading reading;
    };
    std::int64_t update = 0;  // the last one that was done
    double wall_time = 0.0;   // seconds since the epoch 1970
    std::vector<Device> devices;
};

struct EpochEvent {
    std::int64_t epoch = 0, update = 0;
    double loss = 0.0;
    std::map<std::string, double> metrics;  // {"accuracy": ...}
    std::optional<double> val_loss;
    std::map<std::string, double> val_metrics;  // {"accuracy": ...} without the prefix
    double seconds = 0.0, samples_per_s = 0.0;
    double data_wait_share = 0.0;  // 0..1
};

struct CheckpointEvent {
    std::string path;
    std::int64_t update = 0;
    bool best = false;
    std::optional<Error> failure;  // training goes on; the old file stays
};

struct LogEvent {
    enum class Level : std::uint8_t { info, warning, error } level = Level::info;
    std::string text;
};

// The last one of a run.
struct EndEvent {
    RunState state = RunState::finished;  // finished, stopped or failed
    std::optional<double> test_loss;
    std::map<std::string, double> test_metrics;
    std::string checkpoint, picture, run_directory;  // paths; "" where there is none
    double seconds = 0.0, samples_per_s = 0.0;       // of training steps
    std::size_t peak_process_bytes = 0;
    std::string
        reason;  // why it ended before all epochs were done: "no better val_loss for 3 epochs"
    std::int64_t skipped_steps = 0;
    std::optional<Error> error;
};

using Event =
    std::variant<StateEvent, PlanEvent, StepEvent, EpochEvent, CheckpointEvent, LogEvent, MarkEvent,
                 FindingEvent, PipelineEvent, TimelineEvent, MonitorEvent, EndEvent>;
using EventSink = std::function<void(const Event&)>;

}  // namespace strata::train
