// What a project will need, by the engine's own planner and checks, without running it. Slow parts
// are for another thread than the window's. Used by the memory strip and the techniques panel.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/device/arena.h"
#include "engine/graph/step_time.h"
#include "engine/parallel/auto_placement.h"
#include "engine/parallel/planner.h"
#include "engine/train/run_config.h"

namespace strata::ui {

struct MemoryPrediction {
    device::MemoryBudget budget;
    std::size_t limit = 0;  // of the device; 0 = unknown
    std::string device;
    std::map<std::string, std::size_t> bytes;  // of each device
    std::size_t checkpoint = 0;  // of a file: the weights of all devices, and the optimizer's state
    // The project's memory limit, where it has one: how many layers compute their activations
    // again for it, and which share of a step's arithmetic that adds.
    std::size_t recomputed = 0;
    double extraWork = 0.0;
    std::optional<Error> misfit;  // even all of them do not make it fit; the budget is without them
};

// Plans the model: slow. Empty while the project cannot be planned. The data are opened, once for
// each source. On several devices: of the one that has the least room, or that holds most.
std::optional<MemoryPrediction> predictMemory(const train::RunConfig& config);

// How long a step of the project takes on one device, by what the time is spent on. Plans the
// model, and measures the device once: slow. Empty while the project cannot be planned, and on
// several devices.
std::optional<graph::StepTime> predictStepTime(const train::RunConfig& config);

// The project as its run will be placed on devices, for the planner. Opens the data, once for each
// source: slow. Throws Error where the project cannot be planned.
parallel::PlanRequest placementRequest(const train::RunConfig& config);

struct PlacementPrediction {
    std::optional<parallel::PlacementPlan> plan;
    std::optional<Error> fault;  // why there is none
};

enum class Warnings { none, all };  // all: what is wrong and what mends it, each planned again

// Memory of each device, bytes between them, times and idle shares: slow, with warnings slower.
PlacementPrediction predictPlacement(const train::RunConfig& config,
                                     Warnings warnings = Warnings::all);

// What would let a run that found no memory fit, whatever the plan says of its devices: fixes as of
// a plan's warnings, device by device, each planned again. Very slow.
std::vector<parallel::PlanWarning> predictLessMemory(const train::RunConfig& config);

struct AutoPrediction {
    std::optional<parallel::AutoPlacement> placement;
    std::optional<Error> fault;  // why there is none
};

// The planner's own choice of devices for the project: slow.
AutoPrediction predictAutoPlacement(const train::RunConfig& config,
                                    const parallel::AutoOptions& options);

struct EpochPrediction {
    std::int64_t samples = 0, validationSamples = 0, batches = 0, updates = 0;
};

// Opens the data: slow. Empty where they are missing or no batch can be made of them.
std::optional<EpochPrediction> predictEpoch(const train::RunConfig& config);

// What of the techniques Train would refuse; each names its key of the project. Quick.
std::vector<Error> techniqueFaults(const train::RunConfig& config);

// Throws the Error that reading the project from its file would give for the training's keys.
void checkTraining(const train::RunConfig& config);

}  // namespace strata::ui
