#include "engine/backends/cuda/kernel.h"

namespace strata::cuda {

std::unique_ptr<ops::Kernel> zeros(const Request& request) {
    return function_kernel(request, [](const Operands& o, const ops::StepScalars&) {
        for (const Tensor& output : o.outputs) {
            if (output.bytes() == 0) continue;
            const cudaError_t error = cudaMemsetAsync(output.data, 0, output.bytes(), o.stream);
            if (error != cudaSuccess) return error;
        }
        return cudaSuccess;
    });
}

}  // namespace strata::cuda
