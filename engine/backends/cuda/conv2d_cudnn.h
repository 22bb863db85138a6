// 2-D convolution through cuDNN, where it is installed. Called by conv2d.cpp alone.
#pragma once

#include "engine/backends/cuda/window.h"

namespace strata::cuda {

// Null where cuDNN is not there, or has no deterministic algorithm for the shape and types within
// the workspace that is allowed: pads that differ from side to side and results of another type
// than the operands are not its. `sizes` are the op's, checked and not empty.
KernelPtr cudnn_convolution(const Request& request, const ops::Conv2D& op,
                            const WindowSizes& sizes);
KernelPtr cudnn_convolution(const Request& request, const ops::Conv2DBackwardData& op,
                            const WindowSizes& sizes);
KernelPtr cudnn_convolution(const Request& request, const ops::Conv2DBackwardWeights& op,
                            const WindowSizes& sizes);

}  // namespace strata::cuda
