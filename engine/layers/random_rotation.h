// The RandomRotation layer: turns images at random while training.
#pragma once

#include "engine/layers/augmentation.h"

namespace strata::layers {

const LayerDescription& random_rotation();
ops::AugmentImages random_rotation_op(const Config& config);  // without its stream

}  // namespace strata::layers
