// The Rescaling layer: y = x * scale + offset.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& rescaling();

}  // namespace strata::layers
