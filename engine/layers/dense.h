// The Dense layer: y = activation(x kernel + bias) over the last axis.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& dense();

}  // namespace strata::layers
