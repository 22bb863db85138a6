// The Conv2D layer: 2-D convolution of images (H,W,C), kernels (kh,kw,C/groups,filters).
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& conv2d();

}  // namespace strata::layers
