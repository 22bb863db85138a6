// The Dropout layer: inverted dropout with counter-based random numbers.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& dropout();

}  // namespace strata::layers
