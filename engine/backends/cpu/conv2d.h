// The ways to compute a convolution; conv2d.cpp chooses among them.
#pragma once

#include "engine/backends/cpu/window.h"

namespace strata::cpu {

// For operands of 16 bits they give nullptr where oneDNN has no fast kernel.
KernelPtr onednn_conv2d(const Request& request, const WindowSizes& sizes, const ops::Conv2D& op);
KernelPtr onednn_conv2d_backward_data(const Request& request, const WindowSizes& sizes, int groups);
KernelPtr onednn_conv2d_backward_weights(const Request& request, const WindowSizes& sizes,
                                         const ops::Conv2DBackwardWeights& op);

}  // namespace strata::cpu
