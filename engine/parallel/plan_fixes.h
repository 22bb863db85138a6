// Changes of a placement that make a device need less memory, each planned again. Used by
// plan_advice.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/parallel/planner.h"

namespace strata::parallel {

inline constexpr std::int64_t most_micro_batches = 64;  // that are tried

// For a device that does not fit; those that help most first.
std::vector<PlanFix> fixes_of(const PlanRequest& request, const PlacementPlan& plan,
                              const DevicePlan& device);

}  // namespace strata::parallel
