// Which GPUs a process takes where several work on one machine: Horovod's local rank. Used when a
// run is prepared.
#pragma once

#include <string>
#include <vector>

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

struct Gpu {
    std::string id, description;  // the description says which GPU of the machine it is
};
// On which this process works, as the model and the placement say after take_own_gpus(): those of
// the first replica, then of the others.
std::vector<std::string> devices_of(const graph::Model& model,
                                    const parallel::PlacementOptions& placement);
// Which of these are GPUs.
std::vector<Gpu> gpus_of(const std::vector<std::string>& devices);
// All ranks call it. Throws Error{invalid_argument} on all where one has layers on a GPU that
// another has on a CPU: their gradients would go different ways.
void require_same_kinds(World& world, const std::vector<std::string>& own);
// All ranks call it. Throws Error{invalid_argument} on all where two ranks of a machine work on the
// same GPU: their launcher shows both the same one.
void require_gpus_apart(World& world, const std::vector<Gpu>& own);

}  // namespace strata::train
