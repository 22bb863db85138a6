// What is wrong with a plan, and which changes mend it: each is planned again. Used by the planner.
#pragma once

#include "engine/parallel/planned_model.h"
#include "engine/parallel/planner.h"

namespace strata::parallel {

// In the order of the devices; what concerns the whole comes last.
std::vector<PlanWarning> warnings_of(const PlanRequest& request, const PlacementPlan& plan);

}  // namespace strata::parallel
