// Gradients of a convolution from a dy that is mostly zeros, as max pooling and relu leave it: only
// products with what is not zero are summed. Used by conv2d.cpp, where dy decides in each run.
#pragma once

#include "engine/backends/cpu/conv2d.h"

namespace strata::cpu {

// True where the shape suits the sparse way; groups must be 1.
bool suits_sparse_gradient(const Request& request, const WindowSizes& sizes);

// The share of dy's elements that are not zero, from a fixed sample of them.
double nonzero_share(const float* dy, std::int64_t count);

// Kernels that take the sparse way where nonzero_share is small and run `dense` elsewhere.
KernelPtr sparse_conv2d_backward_data(const Request& request, const WindowSizes& sizes,
                                      KernelPtr dense);
KernelPtr sparse_conv2d_backward_weights(const Request& request, const WindowSizes& sizes,
                                         bool has_bias, KernelPtr dense);

}  // namespace strata::cpu
