// Puts a step's numbers into device memory.
#include "kernels/step.h"

#include "kernels/common/launch.h"

namespace strata::kernels {
namespace {

__global__ void set_step_kernel(StepValues* to, StepValues values) {
    *to = values;
}

}  // namespace

cudaError_t set_step(StepValues* to, const StepValues& values, cudaStream_t stream) {
    if (to == nullptr) return cudaErrorInvalidValue;
    return launch(set_step_kernel, LaunchShape{dim3(1), dim3(1)}, stream, to, values);
}

}  // namespace strata::kernels
