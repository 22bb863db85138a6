// A matrix turned: for libraries that want a convolution's kernel the other way round. Called by
// the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/storage.h"

namespace strata::kernels {

// y (cols, rows) = the transpose of x (rows, cols), row-major; y is not x.
template <class T>
cudaError_t transpose(T* y, const T* x, std::int64_t rows, std::int64_t cols, cudaStream_t stream);

}  // namespace strata::kernels
