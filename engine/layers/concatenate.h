// The Concatenate layer: joins inputs along one axis.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& concatenate();

}  // namespace strata::layers
