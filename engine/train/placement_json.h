// The project's "placement": threads, replicas, devices, schedule, micro_batches,
// memory_limit.
#pragma once

#include "engine/core/json.h"
#include "engine/parallel/placement.h"

namespace strata::train {

// Throws Error naming the key: unknown ones, wrong types, numbers out of range, an unknown
// schedule.
parallel::PlacementOptions read_placement(const Json& section);
// Without what is as by default.
Json placement_to_json(const parallel::PlacementOptions& placement);

}  // namespace strata::train
