// What one process of a run gets, as its preparation and its plan decide it alike: layers that it
// computes again to fit its memory.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/train/run_config.h"

namespace strata::train {

// Marks layers of `model` until a process of `ranks` fits config.training.recomputation's limit,
// and returns those that it marked; none without a limit. placement, options: as its executor gets
// them. Throws Error{out_of_memory} where no choice is enough, Error{unsupported} where there is a
// limit and the process has several devices.
std::vector<std::string> fit_process(graph::Model& model, const graph::TrainingSetup& setup,
                                     const graph::ExecutorOptions& options,
                                     const RecomputationConfig& config,
                                     const parallel::PlacementOptions& placement, int ranks);

}  // namespace strata::train
