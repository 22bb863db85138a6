// What happens to gradients before the update: their norm, accumulation over micro-batches,
// clipping by each variable's norm.
#include "kernels/gradient.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/optimizer_operands.h"
#include "kernels/reduce.h"

namespace strata::cuda {

KernelPtr make_kernel(const Request& request, const ops::SumOfSquares& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(
        request,
        [n](const Operands& o, const ops::StepScalars&) {
            return kernels::sum_of_squares(o.out<double>(0), nullptr, o.in(0), n, o.workspace,
                                           o.stream,
                                           o.inputs.size() > 1 ? o.in<double>(1) : nullptr);
        },
        kernels::sum_of_squares_workspace_bytes(n));
}

KernelPtr make_kernel(const Request& request, const ops::AccumulateGradient& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    if (request.inputs[0].dtype == DType::float64)
        return function_kernel(request, [n](const Operands& o, const ops::StepScalars&) {
            return kernels::accumulate_sums(o.inout<double>(0), o.in<double>(1), n, true, o.stream,
                                            o.step);
        });
    return with_storage(request.inputs[1].dtype, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [n](const Operands& o, const ops::StepScalars&) {
            return kernels::accumulate_gradient(o.inout(0), o.in<T>(1), n, true, o.stream, o.step);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::ClipByVariableNorm& op) {
    check_operands(request, op);
    std::vector<kernels::GradientSegment> segments;
    for (const ops::Segment& segment : op.segments)
        segments.push_back({segment.offset, segment.count});
    const std::size_t scratch =
        kernels::clip_by_norm_workspace_bytes(segments.data(), segments.size());
    return function_kernel(
        request,
        [segments = std::move(segments)](const Operands& o, const ops::StepScalars&) {
            return kernels::clip_by_norm(o.inout(0), segments.data(), segments.size(), 1.0, 0.0,
                                         o.workspace, o.stream, o.step);
        },
        scratch);
}

}  // namespace strata::cuda
