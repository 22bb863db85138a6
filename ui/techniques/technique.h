// The techniques of training as switches of a project: turning one on gives usual values, turning
// it off what a new project has. Used by the cards and by the predictions.
#pragma once

#include "engine/train/run_config.h"

namespace strata::ui {

enum class Technique {
    precision,
    tf32,
    accumulation,
    clipping,
    schedule,
    ema,
    earlyStopping,
    checkpoints,
    recomputation,
    dataParallel,
    devicePipeline,
    distributed
};

bool isOn(const train::RunConfig& config, Technique technique);
void switchTechnique(train::RunConfig& config, Technique technique, bool on);

}  // namespace strata::ui
