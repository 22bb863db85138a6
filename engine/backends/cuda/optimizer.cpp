// Optimizer updates over flat arrays, and the sum of squares for the gradient's norm.
#include "kernels/optimizer.h"

#include "engine/backends/cuda/kernel.h"
#include "kernels/reduce.h"

namespace strata::cuda {

KernelPtr make_kernel(const Request& request, const ops::SgdUpdate& op) {
    request.expect_counts(op.momentum != 0.0F ? 3 : 2, 3, 0, 3);
    request.expect_float32();
    request.expect_same_size();
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars& s) {
        float* velocity = op.momentum != 0.0F ? o.inout(2) : nullptr;
        return kernels::sgd_update(
            o.inout(0), o.in(1), velocity, n,
            {s.learning_rate, op.momentum, op.nesterov, static_cast<float>(s.gradient_scale)},
            o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::AdamUpdate& op) {
    request.expect_counts(4, 4, 0, 4);
    request.expect_float32();
    request.expect_same_size();
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars& s) {
        const kernels::Adam parameters{double{s.learning_rate},
                                       double{op.beta_1},
                                       double{op.beta_2},
                                       op.epsilon,
                                       s.update,
                                       static_cast<float>(s.gradient_scale)};
        return kernels::adam_update(o.inout(0), o.in(1), o.inout(2), o.inout(3), n, parameters,
                                    o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::SumOfSquares&) {
    request.expect_counts(1, 1, 1, 1);
    request.expect(request.inputs[0].dtype == DType::float32, "x must be float32");
    request.expect(request.outputs[0].dtype == DType::float64, "the sum must be float64");
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(
        request,
        [n](const Operands& o, const ops::StepScalars&) {
            return kernels::sum_of_squares(o.out<double>(0), nullptr, o.in(0), n, o.workspace,
                                           o.stream);
        },
        kernels::sum_of_squares_workspace_bytes(n));
}

}  // namespace strata::cuda
