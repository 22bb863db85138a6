// The project's section "training". Used by the project's reader and writer.
#pragma once

#include "engine/train/run_config.h"

namespace strata::train {

// Throws Error naming the key.
TrainingConfig read_training(const Json& json);
Json training_to_json(const TrainingConfig& training);

}  // namespace strata::train
