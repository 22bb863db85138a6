// What must be the same in a run that goes on: else its position in the data, its sums and its best
// value would be of another run. Used by set_weights.
#pragma once

#include <string>

#include "engine/core/json.h"

namespace strata::train {

// The first key whose value differs between two projects as run ("model", "data.pipeline.batch",
// "training.seed", ...), or "". Epochs, the learning rate and other optimizer settings,
// checkpoints, threads, prefetch and cache may change; so may the directory of data files.
std::string first_difference(const Json& before, const Json& now);

// Whether both choose the best checkpoint by the same value.
bool same_monitor(const Json& before, const Json& now);

}  // namespace strata::train
