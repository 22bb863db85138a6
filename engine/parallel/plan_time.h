// The time that a planned model's step takes, and how long its devices wait. Used by the planner
// and by automatic placement.
#pragma once

#include "engine/graph/device_rates.h"
#include "engine/parallel/planned_model.h"
#include "engine/parallel/planner.h"

namespace strata::parallel {

// What is measured of a device; CPU devices of as many threads are alike.
graph::DeviceRates& rates_for(const device::Device& device);

// Of all ops of a plan from begin to end.
double seconds_of(const graph::Plan& plan, std::size_t begin, std::size_t end,
                  graph::DeviceRates& rates);

// Fills what PlacementPlan holds of time. Measures devices and links on first need.
void predict_time(const PlannedModel& model, const PlanRequest& request, PlacementPlan& plan);

}  // namespace strata::parallel
