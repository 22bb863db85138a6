// The time that a planned model's step takes, and how long its devices wait. Used by the planner
// and by automatic placement.
#pragma once

#include "engine/parallel/machine_speed.h"
#include "engine/parallel/planned_model.h"
#include "engine/parallel/planner.h"

namespace strata::parallel {

// Of all ops of a plan from begin to end, on a device.
double seconds_of(const graph::Plan& plan, std::size_t begin, std::size_t end,
                  const device::Device& device, const MachineSpeed& speed);

// Fills what PlacementPlan holds of time.
void predict_time(const PlannedModel& model, const PlanRequest& request, PlacementPlan& plan);

}  // namespace strata::parallel
