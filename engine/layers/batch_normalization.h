// The BatchNormalization layer over the last axis (Ioffe and Szegedy, arXiv 1502.03167).
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& batch_normalization();

}  // namespace strata::layers
