// The Add layer: the sum of inputs of one shape.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& add();

}  // namespace strata::layers
