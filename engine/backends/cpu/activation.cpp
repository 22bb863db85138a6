// Activations as ops of their own: element-wise here, row-wise ones in row_activation.cpp.
#include "engine/backends/cpu/activation.h"

#include "engine/backends/cpu/activation_functions.h"
#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/ops/activation_operands.h"

namespace strata::cpu {
namespace {

constexpr std::int64_t exp_cost = 12;  // bytes moved and flops/4 an element

template <ActivationKind K>
void forward(const float* x, float* y, std::int64_t n, float alpha, int threads) {
    for_range(threads, n, exp_cost, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) y[i] = activate<K>(x[i], alpha);
        });
    });
}

template <ActivationKind K>
void backward(const Operands& o, float alpha) {
    const float* dy = o.in(0);
    const float* v = o.in(1);
    float* dx = o.out(0);
    const std::int64_t n = o.inputs[0].elements();
    for_range(o.threads, n, exp_cost, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) dx[i] = dy[i] * derivative<K>(v[i], alpha);
        });
    });
}

using ForwardFunction = void (*)(const float*, float*, std::int64_t, float, int);
using BackwardFunction = void (*)(const Operands&, float);

ForwardFunction forward_function(ActivationKind kind) {
    return with_kind(kind, []<ActivationKind K>() -> ForwardFunction { return &forward<K>; });
}

BackwardFunction backward_function(ActivationKind kind) {
    return with_kind(kind, []<ActivationKind K>() -> BackwardFunction { return &backward<K>; });
}

SliceUnit unit_of(const ops::Activation& activation) {
    return ops::is_row_wise(activation.kind) ? SliceUnit::row : SliceUnit::element;
}

}  // namespace

void activate_in_place(const ops::Activation& activation, float* y, std::int64_t count,
                       int threads) {
    if (activation.kind == ActivationKind::linear) return;
    forward_function(activation.kind)(y, y, count, activation.alpha, threads);
}

KernelPtr make_kernel(const Request& request, const ops::ActivationForward& op) {
    request.expect_counts(1, 1, 1, 1);
    if (has_16_bit(request)) return sliced_kernel(request, unit_of(op.activation), op);
    request.expect_float32();
    request.expect(request.inputs[0].elements() == request.outputs[0].elements(),
                   "x and y differ in size");
    expect_alpha(request, op.activation);
    if (ops::is_row_wise(op.activation.kind)) return make_row_forward(request, op.activation.kind);
    return function_kernel(
        request.device, [function = forward_function(op.activation.kind),
                         alpha = op.activation.alpha](const Operands& o, const ops::StepScalars&) {
            function(o.in(0), o.out(0), o.outputs[0].elements(), alpha, o.threads);
        });
}

KernelPtr make_kernel(const Request& request, const ops::ActivationBackward& op) {
    request.expect_counts(2, 2, 1, 1);
    if (has_16_bit(request)) return sliced_kernel(request, unit_of(op.activation), op);
    request.expect_float32();
    request.expect(request.inputs[0].elements() == request.outputs[0].elements() &&
                       request.inputs[1].elements() == request.outputs[0].elements(),
                   "dy, x or y, and dx differ in size");
    expect_alpha(request, op.activation);
    if (ops::is_row_wise(op.activation.kind)) return make_row_backward(request, op.activation.kind);
    return function_kernel(
        request.device,
        [function = backward_function(op.activation.kind), alpha = op.activation.alpha](
            const Operands& o, const ops::StepScalars&) { function(o, alpha); });
}

}  // namespace strata::cpu
