// 2-D convolution as a product: the windows gathered into a matrix (kernels/conv_gather.h), times
// the kernel, for as many images at a time as the workspace is allowed to hold. Where the window is
// a single cell, the images are that matrix. Called by conv2d.cpp alone.
#pragma once

#include "engine/backends/cuda/window.h"

namespace strata::cuda {

// `sizes` are the op's, checked and not empty.
KernelPtr gathered_convolution(const Request& request, const ops::Conv2D& op,
                               const WindowSizes& sizes);
KernelPtr gathered_convolution(const Request& request, const ops::Conv2DBackwardData& op,
                               const WindowSizes& sizes);
KernelPtr gathered_convolution(const Request& request, const ops::Conv2DBackwardWeights& op,
                               const WindowSizes& sizes);

}  // namespace strata::cuda
