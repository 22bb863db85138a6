// Optimizer updates and the moving average of weights over flat arrays.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/ops/optimizer_operands.h"

namespace strata::cpu {
namespace {

// What stands between an accumulated gradient and the one that the update uses: clamp(g * scale,
// -limit, limit).
struct Gradient {
    float scale, limit;
};

Gradient gradient_of(ops::ClipKind clip, double norm, const ops::StepScalars& s) {
    constexpr float no_limit = std::numeric_limits<float>::infinity();
    double scale = s.gradient_scale;
    if (!(s.clip_limit > 0.0F)) clip = ops::ClipKind::none;
    if (clip == ops::ClipKind::global_norm) {
        const double length = std::sqrt(norm) * scale;
        const auto limit = static_cast<double>(s.clip_limit);
        if (length > limit) scale *= limit / length;
    }
    return {static_cast<float>(scale), clip == ops::ClipKind::value ? s.clip_limit : no_limit};
}

STRATA_INLINE float clamped(float g, Gradient rule) {
    return std::min(std::max(g * rule.scale, -rule.limit), rule.limit);
}

struct SgdFactors {
    Gradient rule;
    float lr, momentum, decay;
};

float decay_of(const ops::StepScalars& s) {
    return static_cast<float>(static_cast<double>(s.learning_rate) *
                              static_cast<double>(s.weight_decay));
}

void sgd_plain(const Operands& o, SgdFactors f) {
    float* w = o.inout(0);
    const float* g = o.in(1);
    for_range(o.threads, o.inputs[0].elements(), 12, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) {
                const float kept = w[i] - f.decay * w[i];
                w[i] = kept - f.lr * clamped(g[i], f.rule);
            }
        });
    });
}

template <bool Nesterov>
void sgd_momentum(const Operands& o, SgdFactors f) {
    float* w = o.inout(0);
    const float* g = o.in(1);
    float* velocity = o.inout(2);
    for_range(o.threads, o.inputs[0].elements(), 20, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) {
                const float change = f.lr * clamped(g[i], f.rule);
                const float v = f.momentum * velocity[i] - change;
                const float kept = w[i] - f.decay * w[i];
                velocity[i] = v;
                w[i] = kept + (Nesterov ? f.momentum * v - change : v);
            }
        });
    });
}

struct AdamFactors {
    Gradient rule;
    float rest_1, rest_2, epsilon, alpha, decay;
};

AdamFactors adam_factors(const ops::AdamUpdate& op, double norm, const ops::StepScalars& s) {
    const auto t = static_cast<double>(s.update);
    const auto b1 = static_cast<double>(op.beta_1);
    const auto b2 = static_cast<double>(op.beta_2);
    const double alpha = static_cast<double>(s.learning_rate) * std::sqrt(1.0 - std::pow(b2, t)) /
                         (1.0 - std::pow(b1, t));
    return {gradient_of(op.clip, norm, s), 1.0F - op.beta_1, 1.0F - op.beta_2, op.epsilon,
            static_cast<float>(alpha),     decay_of(s)};
}

void adam(const Operands& o, AdamFactors f) {
    float* w = o.inout(0);
    const float* gradient = o.in(1);
    float* m = o.inout(2);
    float* v = o.inout(3);
    for_range(o.threads, o.inputs[0].elements(), 28, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) {
                const float g = clamped(gradient[i], f.rule);
                const float first = m[i] + (g - m[i]) * f.rest_1;
                const float second = v[i] + (g * g - v[i]) * f.rest_2;
                const float kept = w[i] - f.decay * w[i];
                m[i] = first;
                v[i] = second;
                w[i] = kept - f.alpha * first / (std::sqrt(second) + f.epsilon);
            }
        });
    });
}

void average(const Operands& o, float kept, float taken) {
    float* mean = o.inout(0);
    const float* w = o.in(1);
    for_range(o.threads, o.inputs[0].elements(), 12, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) mean[i] = kept * mean[i] + taken * w[i];
        });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SgdUpdate& op) {
    check_operands(request, op);
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars& s) {
        const double norm = *o.in<double>(o.inputs.size() - 1);
        if (!std::isfinite(norm)) return;
        const SgdFactors factors{gradient_of(op.clip, norm, s), s.learning_rate, op.momentum,
                                 decay_of(s)};
        if (op.momentum == 0.0F)
            sgd_plain(o, factors);
        else if (op.nesterov)
            sgd_momentum<true>(o, factors);
        else
            sgd_momentum<false>(o, factors);
    });
}

KernelPtr make_kernel(const Request& request, const ops::AdamUpdate& op) {
    check_operands(request, op);
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars& s) {
        const double norm = *o.in<double>(4);
        if (std::isfinite(norm)) adam(o, adam_factors(op, norm, s));
    });
}

KernelPtr make_kernel(const Request& request, const ops::EmaUpdate& op) {
    check_operands(request, op);
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars& s) {
        if (!std::isfinite(*o.in<double>(2))) return;
        // At the first update the average may hold anything, NaN too: it is not multiplied.
        if (s.update == 1)
            std::copy_n(o.in(1), o.inputs[1].elements(), o.inout(0));
        else
            average(o, op.momentum, 1.0F - op.momentum);
    });
}

}  // namespace strata::cpu
