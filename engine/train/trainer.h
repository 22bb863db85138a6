// Trains one project on the calling thread. The only callers: ui/bridge's engine thread and
// app/cli.
#pragma once

#include <memory>
#include <string>

#include "engine/train/control.h"
#include "engine/train/events.h"
#include "engine/train/run_config.h"
#include "engine/train/world.h"

namespace strata::train {

struct RunOptions {
    std::string run_directory;  // "" = runs/<time>-<name> beside the project
    bool resume = false;        // go on from the newest checkpoint of run_directory
    bool start_paused = false;  // for a first Step
    bool doctor = true;         // looks for what goes wrong; changes no result
    // The processes that train together, each with a trainer of the same project; outlives the run.
    // Null: this one is alone. Rank 0 alone tells of the run and writes files.
    World* world = nullptr;
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
