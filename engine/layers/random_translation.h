// The RandomTranslation layer: shifts images at random while training.
#pragma once

#include "engine/layers/augmentation.h"

namespace strata::layers {

const LayerDescription& random_translation();
ops::AugmentImages random_translation_op(const Config& config);  // without its stream

}  // namespace strata::layers
