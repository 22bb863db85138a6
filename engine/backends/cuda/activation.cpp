// Activations as ops of their own, element-wise and row-wise.
#include "engine/backends/cuda/kernel.h"
#include "engine/ops/activation_operands.h"
#include "kernels/softmax.h"

namespace strata::cuda {
namespace {

using Kind = ops::ActivationKind;

// The kernels' enumerations are cast to from the engine's.
static_assert(static_cast<int>(Kind::sparse_sigmoid) ==
              static_cast<int>(kernels::ActivationKind::sparse_sigmoid));
static_assert(static_cast<int>(Kind::gelu_tanh) ==
              static_cast<int>(kernels::ActivationKind::gelu_tanh));
static_assert(static_cast<int>(Kind::softmax) == kernels::activation_kinds);

kernels::RowActivation row_kind(Kind kind) {
    if (kind == Kind::softmax) return kernels::RowActivation::softmax;
    if (kind == Kind::log_softmax) return kernels::RowActivation::log_softmax;
    return kernels::RowActivation::sparsemax;
}

}  // namespace

kernels::Activation element_activation(const ops::Activation& activation) {
    return {static_cast<kernels::ActivationKind>(activation.kind), activation.alpha};
}

KernelPtr make_kernel(const Request& request, const ops::ActivationForward& op) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    request.expect_same_size();
    if (ops::is_row_wise(op.activation.kind)) {
        return function_kernel(
            request, [kind = row_kind(op.activation.kind), m = matrix_of(request.inputs[0].shape)](
                         const Operands& o, const ops::StepScalars&) {
                return kernels::row_activation_forward(o.out(0), o.in(0), m.rows, m.columns, kind,
                                                       o.stream);
            });
    }
    expect_alpha(request, op.activation);
    return function_kernel(
        request, [f = element_activation(op.activation), n = request.inputs[0].elements()](
                     const Operands& o, const ops::StepScalars&) {
            return kernels::activation_forward(o.out(0), o.in(0), n, f, o.stream);
        });
}

KernelPtr make_kernel(const Request& request, const ops::ActivationBackward& op) {
    request.expect_counts(2, 2, 1, 1);
    request.expect_float32();
    request.expect_same_size();
    if (ops::is_row_wise(op.activation.kind)) {
        return function_kernel(
            request, [kind = row_kind(op.activation.kind), m = matrix_of(request.inputs[0].shape)](
                         const Operands& o, const ops::StepScalars&) {
                return kernels::row_activation_backward(o.out(0), o.in(0), o.in(1), m.rows,
                                                        m.columns, kind, o.stream);
            });
    }
    expect_alpha(request, op.activation);
    const auto saved = ops::derivative_from_output(op.activation.kind) ? kernels::Saved::output
                                                                       : kernels::Saved::input;
    return function_kernel(
        request, [f = element_activation(op.activation), saved, n = request.inputs[0].elements()](
                     const Operands& o, const ops::StepScalars&) {
            return kernels::activation_backward(o.out(0), o.in(0), o.in(1), saved, n, f, o.stream);
        });
}

}  // namespace strata::cuda
