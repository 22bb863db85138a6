// The GlobalAveragePooling2D layer: the mean of each channel over height and width.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& global_average_pooling2d();

}  // namespace strata::layers
