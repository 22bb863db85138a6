// The MaxPooling2D layer: the largest value of each window, a channel at a time.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& max_pooling2d();

}  // namespace strata::layers
