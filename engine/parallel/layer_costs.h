// What each layer of a model takes and needs, from the plan of a training step on one device: what
// automatic placement cuts into stages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/parallel/partition.h"
#include "engine/parallel/planner.h"

namespace strata::parallel {

// In the report's order, of a micro-batch of batch_size / micro_batches samples (rounded up), on
// one of these devices, which divide the process's cores. Bytes are estimates.
LayerCosts layer_costs(const PlanRequest& request, const graph::ModelReport& report,
                       const std::vector<std::string>& devices, int replicas, int micro_batches,
                       std::int64_t batch_size);

}  // namespace strata::parallel
