// The InputLayer: where samples enter the model.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& input_layer();

}  // namespace strata::layers
