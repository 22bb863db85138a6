// Element-wise arithmetic, type conversion and block copies. Called by the CUDA backend alone.
// All sizes are in elements, any value >= 0; pointers need the alignment of their type only.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace strata::kernels {

// y = value.
cudaError_t fill(float* y, float value, std::int64_t n, cudaStream_t stream);

// y = x * scale + offset; y may be x where both are float32.
cudaError_t scale_shift(float* y, const float* x, std::int64_t n, float scale, float offset,
                        cudaStream_t stream);
cudaError_t scale_shift(float* y, const std::uint8_t* x, std::int64_t n, float scale, float offset,
                        cudaStream_t stream);

// y = a + b; y may be a or b.
cudaError_t add(float* y, const float* a, const float* b, std::int64_t n, cudaStream_t stream);

// y = inputs[0] + ... + inputs[count - 1], added from left to right; count >= 1. `inputs` is a host
// array of device pointers and is free again on return. y may be inputs[0] and no other.
cudaError_t add_n(float* y, const float* const* inputs, int count, std::int64_t n,
                  cudaStream_t stream);

// A block of `width` elements in each of `rows` rows.
struct BlockCopy {
    std::int64_t rows = 0, width = 0;
    std::int64_t x_stride = 0, x_offset = 0;  // source: row r begins at x_offset + r * x_stride
    std::int64_t y_stride = 0, y_offset = 0;  // destination
};

// y[y_offset + r * y_stride + i] = x[x_offset + r * x_stride + i]; the rest of y stays. Elements of
// 4 bytes, copied bit for bit. x and y do not overlap.
cudaError_t copy_block(void* y, const void* x, BlockCopy block, cudaStream_t stream);

}  // namespace strata::kernels
