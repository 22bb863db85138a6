// Sums over columns and over flat arrays, in a fixed order: the same input gives the same bits.
// Called by the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/storage.h"

namespace strata::kernels {

std::size_t column_sums_workspace_bytes(std::int64_t rows, std::int64_t cols);  // 4-byte aligned

// sums(c) = sum over r of x(r,c), row-major (rows, cols): the bias gradient, of T or float.
// Overwrites.
template <class T, class Result>
cudaError_t column_sums(Result* sums, const T* x, std::int64_t rows, std::int64_t cols,
                        void* workspace, cudaStream_t stream);

std::size_t sum_of_squares_workspace_bytes(std::int64_t n);  // 8-byte aligned

// sum = sum of x^2, accumulated in float64, so that no finite float32 overflows it. found_inf, may
// be null: 1 where an x is Inf or NaN, else 0. Both are in device memory and overwritten. loss, in
// device memory, may be null: where it is Inf or NaN the sum is NaN.
cudaError_t sum_of_squares(double* sum, std::int32_t* found_inf, const float* x, std::int64_t n,
                           void* workspace, cudaStream_t stream, const double* loss = nullptr);

}  // namespace strata::kernels
