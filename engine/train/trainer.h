// Trains one project on the calling thread. The only callers: ui/bridge's engine thread and
// app/cli.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "engine/train/events.h"
#include "engine/train/run_config.h"

namespace strata::train {

// Requests from other threads and from signal handlers' pipe readers; read by the trainer between
// two steps. Lock-free.
class Control {
public:
    void pause() {
        command_ = Command::pause;
        wake();
    }
    void resume() {
        command_ = Command::run;
        wake();
    }
    // One update, then paused.
    void step() {
        command_ = Command::pause;
        steps_.fetch_add(1);
        wake();
    }
    void stop() {
        stop_ = true;
        wake();
    }  // ends after the step, with a checkpoint
    void save() {
        save_ = true;
        wake();
    }  // a checkpoint after the step

private:
    friend class Trainer;
    enum class Command : std::uint8_t { run, pause };
    void wake() {
        generation_.fetch_add(1);
        generation_.notify_all();
    }
    std::atomic<Command> command_{Command::run};
    std::atomic<int> steps_{0};
    std::atomic<bool> stop_{false}, save_{false};
    std::atomic<std::uint32_t> generation_{0};
};

struct RunOptions {
    std::string run_directory;  // "" = runs/<time>-<name> beside the project
    bool resume = false;        // go on from the newest checkpoint of run_directory
    bool start_paused = false;  // for a first Step
};

class Trainer {
public:
    Trainer(RunConfig config, RunOptions options, EventSink sink, std::shared_ptr<Control> control);
    ~Trainer();

    // Prepares (data, plan, run directory: every fault that can be known is thrown before step 1),
    // trains, evaluates the test data, writes the picture. Ends with an EndEvent in every case;
    // faults are in it and not thrown.
    EndEvent run();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace strata::train
