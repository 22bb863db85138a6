// Which layers compute their activations again so that a plan fits a memory limit: as little more
// work as possible. Called when a run is prepared, and by predictions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/graph/executor.h"

namespace strata::graph {

// Marks layers of `model` (LayerNode::recompute) until predict_memory is within `limit` bytes, and
// returns the names of those that it marked: none where it fits already. Layers are taken in the
// order of bytes saved a FLOP; at the end those that turn out not to be needed are let go. Throws
// Error{out_of_memory} with the least that it reached where even all of them are not enough.
std::vector<std::string> fit_by_recomputation(Model& model, const TrainingSetup& setup,
                                              const ExecutorOptions& options, std::size_t limit);

}  // namespace strata::graph
