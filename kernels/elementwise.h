// Element-wise arithmetic, type conversion and block copies. Called by the CUDA backend alone.
// All sizes are in elements, any value >= 0; pointers need the alignment of their type only.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/storage.h"

namespace strata::kernels {

// y = value.
template <class T>
cudaError_t fill(T* y, float value, std::int64_t n, cudaStream_t stream);

// y = x * scale + offset, from each storage type or bytes to each storage type; y may be x where
// the types are one. With scale 1 and offset 0 it is the cast.
template <class From, class To>
cudaError_t scale_shift(To* y, const From* x, std::int64_t n, float scale, float offset,
                        cudaStream_t stream);

// y = inputs[0] + ... + inputs[count - 1], added from left to right; count >= 1. `inputs` is a host
// array of device pointers and is free again on return. y may be inputs[0] and no other. Up to 8
// inputs are rounded once, each further one adds to what is rounded.
template <class T>
cudaError_t add_n(T* y, const T* const* inputs, int count, std::int64_t n, cudaStream_t stream);

// A block of `width` elements in each of `rows` rows.
struct BlockCopy {
    std::int64_t rows = 0, width = 0;
    std::int64_t x_stride = 0, x_offset = 0;  // source: row r begins at x_offset + r * x_stride
    std::int64_t y_stride = 0, y_offset = 0;  // destination
};

// y[y_offset + r * y_stride + i] = x[x_offset + r * x_stride + i]; the rest of y stays. Copied bit
// for bit. x and y do not overlap.
cudaError_t copy_block(void* y, const void* x, const BlockCopy& block, int element_bytes,
                       cudaStream_t stream);

}  // namespace strata::kernels
