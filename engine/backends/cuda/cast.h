// One array as another type. Used by the matrix products of the CUDA backend.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "engine/core/dtype.h"

namespace strata::cuda {

// y = x, n elements of compute types, rounded to the nearest even.
cudaError_t cast(void* y, DType to, const void* x, DType from, std::int64_t n, cudaStream_t stream);

}  // namespace strata::cuda
