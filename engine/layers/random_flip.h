// The RandomFlip layer: mirrors images at random while training.
#pragma once

#include "engine/layers/augmentation.h"

namespace strata::layers {

const LayerDescription& random_flip();
ops::AugmentImages random_flip_op(const Config& config);  // without its stream

}  // namespace strata::layers
