// The CUDA backend: GPUs through the CUDA runtime, cuBLASLt and the kernels of kernels/.
#pragma once

#include "engine/ops/backend.h"

namespace strata::cuda {

// The one instance of this process. discover() says in words why there is no GPU to use.
ops::Backend& cuda_backend();

}  // namespace strata::cuda
