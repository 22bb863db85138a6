// Optimizer updates and the moving average of weights over flat arrays. The kernels read the norm
// themselves: nothing waits for it on the host.
#include "kernels/optimizer.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/optimizer_operands.h"

namespace strata::cuda {
namespace {

kernels::GradientRule rule_of(const Operands& o, ops::ClipKind clip) {
    kernels::GradientRule rule;
    rule.norm = o.in<double>(o.inputs.size() - 1);
    rule.values = o.step;
    if (clip == ops::ClipKind::value) rule.clip = kernels::GradientClip::value;
    if (clip == ops::ClipKind::global_norm) rule.clip = kernels::GradientClip::global_norm;
    return rule;
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SgdUpdate& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars&) {
        float* velocity = op.momentum != 0.0F ? o.inout(2) : nullptr;
        return kernels::sgd_update(o.inout(0), o.in(1), velocity, n,
                                   {0.0F, op.momentum, op.nesterov, 0.0F}, rule_of(o, op.clip),
                                   o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::AdamUpdate& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars&) {
        const kernels::Adam parameters{0.0, double{op.beta_1}, double{op.beta_2}, op.epsilon};
        return kernels::adam_update(o.inout(0), o.in(1), o.inout(2), o.inout(3), n, parameters,
                                    rule_of(o, op.clip), o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::EmaUpdate& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars&) {
        return kernels::ema_update(o.inout(0), o.in(1), n, op.momentum, 1, o.in<double>(2),
                                   o.stream, o.step);
    });
}

}  // namespace strata::cuda
