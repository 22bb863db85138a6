// Row-wise activations over the last axis of (rows, cols): softmax, log_softmax, sparsemax.
// Called by the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/storage.h"

namespace strata::kernels {

enum class RowActivation : std::uint8_t {
    softmax,
    log_softmax,
    sparsemax  // Martins and Astudillo, arXiv 1602.02068
};

// y = f(x) for each row; y may be x.
template <class T>
cudaError_t row_activation_forward(T* y, const T* x, std::int64_t rows, std::int64_t cols,
                                   RowActivation kind, cudaStream_t stream);

// dx from dy and the forward pass's y; overwrites; dx may be dy.
template <class T>
cudaError_t row_activation_backward(T* dx, const T* dy, const T* y, std::int64_t rows,
                                    std::int64_t cols, RowActivation kind, cudaStream_t stream);

}  // namespace strata::kernels
