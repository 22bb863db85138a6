// What each technique changes, predicted by the engine's planner: memory and step time with and
// without it, batches and updates. Made by the techniques panel on another thread.
#pragma once

#include <QString>
#include <map>
#include <optional>

#include "ui/bridge/prediction.h"
#include "ui/techniques/technique.h"

namespace strata::ui {

struct TechniquePrediction {
    std::optional<EpochPrediction> epoch;
    std::optional<MemoryPrediction> memory;  // of the project as it is
    // With this one technique switched over; only where that changes the plan.
    std::map<Technique, MemoryPrediction> switched;
    std::optional<graph::StepTimeParts> step;  // of the project as it is, seconds a sample
    std::map<Technique, graph::StepTimeParts> switchedSteps;
    // Over devices: of the project as it is, and with a technique switched over.
    std::optional<parallel::PlacementPlan> placement;
    std::optional<Error> placementFault;  // why there is none
    std::map<Technique, parallel::PlacementPlan> switchedPlacements;

    const parallel::PlacementPlan* placed(Technique technique) const {
        const auto it = switchedPlacements.find(technique);
        return it == switchedPlacements.end() ? nullptr : &it->second;
    }
};

TechniquePrediction predictTechniques(const train::RunConfig& config);  // slow

// "memory 118 MiB instead of 210 MiB", in the studio's language; "" where it is not known.
QString memoryEffect(const TechniquePrediction& prediction, Technique technique, bool on);

// "× 1.31 step time", or what it would be, and what that is made of, one part a line; "" where it
// is not known.
QString stepTimeEffect(const TechniquePrediction& prediction, Technique technique, bool on);
QString stepTimeParts(const TechniquePrediction& prediction, Technique technique, bool on);

}  // namespace strata::ui
