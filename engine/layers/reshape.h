// The Reshape layer: a view with other axes.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& reshape();

}  // namespace strata::layers
