// Optimizer updates and the moving average of weights over flat arrays. The kernels read the norm
// themselves: nothing waits for it on the host.
#include "kernels/optimizer.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/optimizer_operands.h"

namespace strata::cuda {
namespace {

kernels::GradientRule rule_of(const Operands& o, ops::ClipKind clip, const ops::StepScalars& s) {
    kernels::GradientRule rule{o.in<double>(o.inputs.size() - 1), s.gradient_scale,
                               kernels::GradientClip::none, s.clip_limit};
    if (clip == ops::ClipKind::value) rule.clip = kernels::GradientClip::value;
    if (clip == ops::ClipKind::global_norm) rule.clip = kernels::GradientClip::global_norm;
    return rule;
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SgdUpdate& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars& s) {
        float* velocity = op.momentum != 0.0F ? o.inout(2) : nullptr;
        return kernels::sgd_update(o.inout(0), o.in(1), velocity, n,
                                   {s.learning_rate, op.momentum, op.nesterov, s.weight_decay},
                                   rule_of(o, op.clip, s), o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::AdamUpdate& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars& s) {
        const kernels::Adam parameters{
            double{s.learning_rate}, double{op.beta_1}, double{op.beta_2}, op.epsilon, s.update,
            s.weight_decay};
        return kernels::adam_update(o.inout(0), o.in(1), o.inout(2), o.inout(3), n, parameters,
                                    rule_of(o, op.clip, s), o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::EmaUpdate& op) {
    check_operands(request, op);
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars& s) {
        return kernels::ema_update(o.inout(0), o.in(1), n, op.momentum, s.update, o.in<double>(2),
                                   o.stream);
    });
}

}  // namespace strata::cuda
