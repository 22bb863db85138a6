// Weight gradients of a convolution on images of few channels, as of a first layer: oneDNN's
// kernels fill their vectors badly there. Used by conv2d.cpp; needs AVX2.
#pragma once

#include "engine/backends/cpu/conv2d.h"

namespace strata::cpu {

bool suits_thin_weights_gradient(const Request& request, const WindowSizes& sizes);
KernelPtr thin_conv2d_backward_weights(const Request& request, const WindowSizes& sizes);

}  // namespace strata::cpu
