// Chooses devices for a model's layers: stages of near equal predicted time within the devices'
// memory, and how many replicas and micro-batches. With its reasons in words. Called by `strata
// plan --auto` and the studio; not for a window's thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/parallel/planner.h"

namespace strata::parallel {

struct AutoOptions {
    std::vector<std::string> devices;  // that may be used, in this order
    // 0: chosen. With 1 replica and all devices' stages: "balance the layers over these devices".
    int replicas = 0;
    int stages = 0;  // devices of a replica
    int micro_batches = 0;
    bool suggests = true;  // where nothing fits, the hint says how many devices would do
};

// One way that was weighed.
struct AutoCandidate {
    int replicas = 1, stages = 1, micro_batches = 1;
    double seconds_per_sample = 0.0;  // 0 where there is no such placement
    bool fits = false;                // every device
    std::string text;                 // in words, with the reason where it is not possible
};

struct AutoPlacement {
    PlanRequest request;  // the one given, with devices, replicas and micro-batches
    PlacementPlan plan;
    std::vector<std::string> reasons;
    // The chosen one first, then the quickest. Of those that a measurement hardly tells from the
    // quickest (10 %) the simplest is chosen: fewest devices, then stages, then micro-batches.
    std::vector<AutoCandidate> candidates;
};

// options.batch of the request is that of request.placement.replicas; the number of samples that a
// replica takes stays. The same request and rates give the same placement. Throws
// Error{out_of_memory} where nothing fits, with the nearest; Error{invalid_argument} for options
// that no placement can meet.
AutoPlacement place_automatically(const PlanRequest& request, const AutoOptions& options);

}  // namespace strata::parallel
