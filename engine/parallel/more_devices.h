// How many more devices a model needs where those at hand are too small. Used by the planner's
// fixes and by automatic placement, for its hint.
#pragma once

#include <optional>

#include "engine/parallel/auto_placement.h"

namespace strata::parallel {

// The placement on the fewest further devices of the same kind, numbered behind the largest of
// options.devices, with which each replica (options.replicas, 1 where it is open) fits as one more
// or several more stages. Nothing where no number up to most_stages is enough or there, or where
// options.devices are of two kinds.
std::optional<AutoPlacement> place_on_more_devices(const PlanRequest& request, AutoOptions options);

inline constexpr int most_stages = 8;  // of a replica, that are tried

}  // namespace strata::parallel
