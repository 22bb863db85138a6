#include "engine/backends/cuda/cuda_error.h"

#include <cstdlib>
#include <string_view>

#include "engine/core/error.h"

namespace strata::cuda {
namespace {

// Faults of kernels, which any later call may tell of.
bool is_of_earlier_work(cudaError_t error) {
    constexpr int first = 700, last = 719;  // cudaErrorIllegalAddress ... cudaErrorLaunchFailure
    return error >= first && error <= last;
}

bool launches_block() {
    const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    return blocking != nullptr && std::string_view(blocking) == "1";
}

}  // namespace

void check(cudaError_t error, const std::string& what, const std::string& device) {
    if (error == cudaSuccess) return;
    cudaGetLastError();  // or the next call that succeeds would seem to fail
    const std::string words =
        std::string(" failed: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
    if (is_of_earlier_work(error) && !launches_block())
        throw Error(ErrorCode::internal, "Work that was queued on the GPU before" + words, device,
                    "Start the run again with CUDA_LAUNCH_BLOCKING=1 in the environment: the "
                    "message then names the layer and op at fault. Or use cpu:0");
    throw Error(ErrorCode::internal, what + words, device,
                "Start the run again; if it fails again, use cpu:0 and report it");
}

}  // namespace strata::cuda
