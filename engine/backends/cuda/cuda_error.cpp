#include "engine/backends/cuda/cuda_error.h"

#include <cstdlib>
#include <string_view>

#include "engine/core/error.h"

namespace strata::cuda {
namespace {

// Faults of kernels, which any later call may tell of. Others of their kind are a call's own, as
// 701: a launch that wants more registers or threads than there are.
bool is_of_earlier_work(cudaError_t error) {
    constexpr int memory_error = 214, bad_address = 700, timeout = 702, assertion = 710;
    constexpr int first = 714, last = 719;  // cudaErrorHardwareStackError, cudaErrorLaunchFailure
    return error == memory_error || error == bad_address || error == timeout ||
           error == assertion || (error >= first && error <= last);
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
