// Activations as ops of their own, element-wise and row-wise.
#include "engine/backends/cuda/kernel.h"
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

kernels::Activation element_activation(const Request& request, const ops::Activation& activation) {
    const Kind kind = activation.kind;
    const bool uses_alpha = kind == Kind::elu || kind == Kind::leaky_relu || kind == Kind::celu;
    request.expect(
        !uses_alpha || activation.alpha > 0.0F || (activation.alpha == 0.0F && kind != Kind::celu),
        "alpha of this activation must not be negative");
    return {static_cast<kernels::ActivationKind>(kind), activation.alpha};
}

kernels::Activation fused_activation(const Request& request, const ops::Activation& activation) {
    request.expect(
        !ops::is_row_wise(activation.kind) && ops::derivative_from_output(activation.kind),
        std::string("activation ") + ops::name_of(activation.kind) + " cannot be fused");
    return element_activation(request, activation);
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
    return function_kernel(
        request, [f = element_activation(request, op.activation), n = request.inputs[0].elements()](
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
    const auto saved = ops::derivative_from_output(op.activation.kind) ? kernels::Saved::output
                                                                       : kernels::Saved::input;
    return function_kernel(
        request, [f = element_activation(request, op.activation), saved,
                  n = request.inputs[0].elements()](const Operands& o, const ops::StepScalars&) {
            return kernels::activation_backward(o.out(0), o.in(0), o.in(1), saved, n, f, o.stream);
        });
}

}  // namespace strata::cuda
