// The AveragePooling2D layer: the mean of each window, padding not counted.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& average_pooling2d();

}  // namespace strata::layers
