// Which GPUs a process takes where several work on one machine: Horovod's local rank. Used when a
// run is prepared.
#pragma once

#include "engine/graph/model.h"
#include "engine/parallel/placement.h"
#include "engine/train/world.h"

namespace strata::train {

// The k-th process of a machine takes the GPUs behind those of the k processes before it: "cuda:0"
// of the project is cuda:k where each needs one. Where the process sees no more GPUs than it needs,
// its launcher has given it its own. available: GPUs that this process sees. Throws
// Error{not_found} where they are too few.
void take_own_gpus(graph::Model& model, parallel::PlacementOptions& placement, World::OnHost place,
                   int available);
// How many of them this process sees.
int available_gpus();

}  // namespace strata::train
