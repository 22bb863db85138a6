// The techniques among the keys of a project's "training". Used by training_json.
#pragma once

#include "engine/train/run_config.h"

namespace strata::train {

const std::vector<std::string>& technique_keys();
// Throws Error naming the key.
void read_techniques(const Json& training, TrainingConfig& config);
// Adds what differs from the defaults, and the checkpoint's rule in any case.
void write_techniques(const TrainingConfig& config, Json& training);

}  // namespace strata::train
