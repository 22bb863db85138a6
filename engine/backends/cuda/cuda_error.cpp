#include "engine/backends/cuda/cuda_error.h"

#include "engine/core/error.h"

namespace strata::cuda {

void check(cudaError_t error, const std::string& what, const std::string& device) {
    if (error == cudaSuccess) return;
    cudaGetLastError();  // or the next call that succeeds would seem to fail
    throw Error(
        ErrorCode::internal,
        what + " failed: " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")",
        device, "Start the run again; if it fails again, use cpu:0 and report it");
}

}  // namespace strata::cuda
