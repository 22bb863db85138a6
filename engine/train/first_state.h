// What a run begins with: fresh weights, those of a file, or the state of a checkpoint. Used by the
// trainer.
#pragma once

#include <string>

#include "engine/checkpoint/checkpoint.h"
#include "engine/train/prepared_run.h"

namespace strata::train {

// Initializers, the weights that the project starts from, or the checkpoint `resume_from`, which
// rank 0 alone reads; all ranks get what it has.
checkpoint::TrainingState set_weights(PreparedRun& run, const std::string& resume_from);

}  // namespace strata::train
