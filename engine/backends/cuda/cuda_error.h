// CUDA's error codes as strata::Error, in words. Used by every file of the CUDA backend.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace strata::cuda {

// Throws Error{internal} "`what` failed: <CUDA's words>" with where = the device, unless success.
void check(cudaError_t error, const std::string& what, const std::string& device);

}  // namespace strata::cuda
