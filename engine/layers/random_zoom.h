// The RandomZoom layer: zooms images at random while training.
#pragma once

#include "engine/layers/augmentation.h"

namespace strata::layers {

const LayerDescription& random_zoom();
ops::AugmentImages random_zoom_op(const Config& config);  // without its stream

}  // namespace strata::layers
