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

template <typename T>
KernelPtr row_forward(const Request& request, const ops::Activation& activation) {
    return function_kernel(
        request, [kind = row_kind(activation.kind), m = matrix_of(request.inputs[0].shape)](
                     const Operands& o, const ops::StepScalars&) {
            return kernels::row_activation_forward(o.out<T>(0), o.in<T>(0), m.rows, m.columns, kind,
                                                   o.stream);
        });
}

template <typename T>
KernelPtr element_forward(const Request& request, const ops::Activation& activation) {
    return function_kernel(
        request, [f = element_activation(activation), n = request.inputs[0].elements()](
                     const Operands& o, const ops::StepScalars&) {
            return kernels::activation_forward(o.out<T>(0), o.in<T>(0), n, f, o.stream);
        });
}

template <typename T>
KernelPtr row_backward(const Request& request, const ops::Activation& activation) {
    return function_kernel(
        request, [kind = row_kind(activation.kind), m = matrix_of(request.inputs[0].shape)](
                     const Operands& o, const ops::StepScalars&) {
            return kernels::row_activation_backward(o.out<T>(0), o.in<T>(0), o.in<T>(1), m.rows,
                                                    m.columns, kind, o.stream);
        });
}

template <typename T>
KernelPtr element_backward(const Request& request, const ops::Activation& activation) {
    const auto saved = ops::derivative_from_output(activation.kind) ? kernels::Saved::output
                                                                    : kernels::Saved::input;
    return function_kernel(
        request, [f = element_activation(activation), saved, n = request.inputs[0].elements()](
                     const Operands& o, const ops::StepScalars&) {
            return kernels::activation_backward(o.out<T>(0), o.in<T>(0), o.in<T>(1), saved, n, f,
                                                o.stream);
        });
}

}  // namespace

kernels::Activation element_activation(const ops::Activation& activation) {
    return {static_cast<kernels::ActivationKind>(activation.kind), activation.alpha};
}

KernelPtr make_kernel(const Request& request, const ops::ActivationForward& op) {
    request.expect_counts(1, 1, 1, 1);
    const DType type = request.expect_one_type();
    request.expect_same_size();
    expect_alpha(request, op.activation);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return ops::is_row_wise(op.activation.kind) ? row_forward<T>(request, op.activation)
                                                    : element_forward<T>(request, op.activation);
    });
}

KernelPtr make_kernel(const Request& request, const ops::ActivationBackward& op) {
    request.expect_counts(2, 2, 1, 1);
    const DType type = request.expect_one_type();
    request.expect_same_size();
    expect_alpha(request, op.activation);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return ops::is_row_wise(op.activation.kind) ? row_backward<T>(request, op.activation)
                                                    : element_backward<T>(request, op.activation);
    });
}

}  // namespace strata::cuda
