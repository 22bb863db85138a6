// The RandomContrast layer: changes the contrast of images at random while training.
#pragma once

#include "engine/layers/augmentation.h"

namespace strata::layers {

const LayerDescription& random_contrast();
ops::AugmentImages random_contrast_op(const Config& config);  // without its stream

}  // namespace strata::layers
