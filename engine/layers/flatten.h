// The Flatten layer: a view with one axis.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& flatten();

}  // namespace strata::layers
