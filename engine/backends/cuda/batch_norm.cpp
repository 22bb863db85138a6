// Batch normalisation over the last axis.
#include "kernels/batch_norm.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/batch_norm_operands.h"

namespace strata::cuda {
namespace {

kernels::BatchNormShape shape_of(const Request& request, std::size_t first_input) {
    const Matrix m = ops::batch_norm_sizes(request, first_input);
    request.expect(request.outputs[0].elements() == request.inputs[0].elements(),
                   "x and the result differ in size");
    return {m.rows, m.columns};
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::BatchNormTraining& op) {
    request.expect_counts(5, 5, 3, 4);
    const kernels::BatchNormShape shape = shape_of(request, 1);
    request.expect(shape.rows > 0, "an empty batch has no mean");
    return function_kernel(
        request,
        [op, shape](const Operands& o, const ops::StepScalars&) {
            float* variance = o.outputs.size() > 3 ? o.out(3) : nullptr;
            const kernels::BatchNormTraining parameters{o.in(1),     o.in(2),    o.inout(3),
                                                        o.inout(4),  o.out(1),   o.out(2),
                                                        op.momentum, op.epsilon, variance};
            return kernels::batch_norm_training(o.out(0), o.in(0), shape, parameters, o.workspace,
                                                o.stream);
        },
        kernels::batch_norm_workspace_bytes(shape));
}

KernelPtr make_kernel(const Request& request, const ops::BatchNormInference& op) {
    request.expect_counts(5, 5, 1, 1);
    const kernels::BatchNormShape shape = shape_of(request, 1);
    return function_kernel(request, [op, shape](const Operands& o, const ops::StepScalars&) {
        return kernels::batch_norm_inference(o.out(0), o.in(0), shape, o.in(1), o.in(2), o.in(3),
                                             o.in(4), op.epsilon, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::BatchNormBackward&) {
    request.expect_counts(5, 5, 3, 3);
    request.expect(request.inputs[0].elements() == request.inputs[1].elements(),
                   "dy and x differ in size");
    const kernels::BatchNormShape shape = shape_of(request, 2);
    request.expect(shape.rows > 0, "an empty batch has no mean");
    return function_kernel(
        request,
        [shape](const Operands& o, const ops::StepScalars&) {
            const kernels::BatchNormBackward parameters{o.in(2), o.in(3), o.in(4), o.out(1),
                                                        o.out(2)};
            return kernels::batch_norm_backward(o.out(0), o.in(0), o.in(1), shape, parameters,
                                                o.workspace, o.stream);
        },
        kernels::batch_norm_workspace_bytes(shape));
}

KernelPtr make_kernel(const Request& request, const ops::AccumulateStatistics& op) {
    check_operands(request, op);
    return function_kernel(request, [op](const Operands& o, const ops::StepScalars& s) {
        return kernels::accumulate_statistics(o.inout<double>(0), o.inout<double>(1), o.in(2),
                                              o.in(3), o.inputs[0].elements(), s.samples_before,
                                              op.samples, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::MovingAverage& op) {
    check_operands(request, op);
    return function_kernel(request, [op](const Operands& o, const ops::StepScalars&) {
        const double* norm = o.inputs.size() > 2 ? o.in<double>(2) : nullptr;
        return kernels::moving_average(o.inout(0), o.in<double>(1), o.inputs[0].elements(),
                                       op.momentum, norm, o.stream);
    });
}

}  // namespace strata::cuda
