// Each element-wise activation and its derivative as an inlined function of one float (Keras 3).
#pragma once

#include <utility>

#include "engine/backends/cpu/vector_math.h"
#include "engine/ops/activation.h"

namespace strata::cpu {

using ops::ActivationKind;

inline constexpr float selu_alpha = 1.67326324F;  // Klambauer et al., arXiv 1706.02515
inline constexpr float selu_scale = 1.05070099F;
inline constexpr float gelu_cubic = 0.044715F;
inline constexpr float root_2_over_pi = 0.797884561F;
inline constexpr float density_at_0 = 0.398942280F;  // of the standard normal law

STRATA_INLINE float clip(float x, float low, float high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

// One flat table of the kinds; of each function one branch is left after compiling.
// NOLINTBEGIN(readability-function-size): split, the table would be harder to check
template <ActivationKind K>
STRATA_INLINE float activate(float x, [[maybe_unused]] float alpha) {
    using A = ActivationKind;
    if constexpr (K == A::relu) {
        return x < 0.0F ? 0.0F : x;
    } else if constexpr (K == A::sigmoid) {
        return fast_sigmoid(x);
    } else if constexpr (K == A::tanh) {
        return fast_tanh(x);
    } else if constexpr (K == A::softplus) {
        return fast_softplus(x);
    } else if constexpr (K == A::softsign) {
        return x / (1.0F + std::fabs(x));
    } else if constexpr (K == A::elu) {
        const float negative = alpha * fast_expm1(x);
        return x > 0.0F ? x : negative;
    } else if constexpr (K == A::selu) {
        const float negative = selu_scale * selu_alpha * fast_expm1(x);
        return x > 0.0F ? selu_scale * x : negative;
    } else if constexpr (K == A::exponential) {
        return fast_exp(x);
    } else if constexpr (K == A::leaky_relu) {
        return x > 0.0F ? x : alpha * x;
    } else if constexpr (K == A::relu6) {
        return clip(x, 0.0F, 6.0F);
    } else if constexpr (K == A::silu) {
        return x * fast_sigmoid(x);
    } else if constexpr (K == A::hard_silu) {
        return x * clip(x * (1.0F / 6.0F) + 0.5F, 0.0F, 1.0F);
    } else if constexpr (K == A::gelu) {
        return x * fast_normal_cdf(x);
    } else if constexpr (K == A::gelu_tanh) {
        // x (1 + tanh(u)) / 2 = x sigmoid(2 u)
        return x * fast_sigmoid(2.0F * root_2_over_pi * x * (1.0F + gelu_cubic * x * x));
    } else if constexpr (K == A::hard_sigmoid) {
        return clip(x * (1.0F / 6.0F) + 0.5F, 0.0F, 1.0F);
    } else if constexpr (K == A::mish) {
        // tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2)
        const float e = fast_exp(x > 20.0F ? 20.0F : x);
        const float w = e * (e + 2.0F);
        return x * (w / (w + 2.0F));
    } else if constexpr (K == A::celu) {
        const float negative = alpha * fast_expm1(x / alpha);
        return x > 0.0F ? x : negative;
    } else if constexpr (K == A::hard_tanh) {
        return clip(x, -1.0F, 1.0F);
    } else if constexpr (K == A::hard_shrink) {
        return std::fabs(x) > 0.5F ? x : 0.0F;
    } else if constexpr (K == A::soft_shrink) {
        const float shrunk = std::copysign(std::fabs(x) - 0.5F, x);
        return std::fabs(x) > 0.5F ? shrunk : 0.0F;
    } else if constexpr (K == A::tanh_shrink) {
        return x - fast_tanh(x);
    } else if constexpr (K == A::squareplus) {
        const float s = std::sqrt(x * x + 4.0F);
        const float negative = 2.0F / (s - x);
        const float positive = 0.5F * (x + s);
        return x > 0.0F ? positive : negative;
    } else if constexpr (K == A::sparse_plus) {
        const float c = clip(x, -1.0F, 1.0F) + 1.0F;
        const float square = 0.25F * c * c;
        return x < 1.0F ? square : x;
    } else if constexpr (K == A::log_sigmoid) {
        return -fast_softplus(-x);
    } else if constexpr (K == A::sparse_sigmoid) {
        return clip(0.5F * (x + 1.0F), 0.0F, 1.0F);
    } else {
        return x;
    }
}

// The derivative, from y = f(x) where ops::derivative_from_output(K), else from x.
template <ActivationKind K>
STRATA_INLINE float derivative(float v, [[maybe_unused]] float alpha) {
    using A = ActivationKind;
    if constexpr (K == A::relu) {
        return v > 0.0F ? 1.0F : 0.0F;
    } else if constexpr (K == A::sigmoid) {
        return v * (1.0F - v);
    } else if constexpr (K == A::tanh) {
        return 1.0F - v * v;
    } else if constexpr (K == A::softplus) {
        return -fast_expm1(-v);
    } else if constexpr (K == A::softsign) {
        const float s = 1.0F - std::fabs(v);
        return s * s;
    } else if constexpr (K == A::elu) {
        return v > 0.0F ? 1.0F : v + alpha;
    } else if constexpr (K == A::selu) {
        return v > 0.0F ? selu_scale : v + selu_scale * selu_alpha;
    } else if constexpr (K == A::exponential) {
        return v;
    } else if constexpr (K == A::leaky_relu) {
        return v > 0.0F ? 1.0F : alpha;
    } else if constexpr (K == A::relu6) {
        return v > 0.0F && v < 6.0F ? 1.0F : 0.0F;
    } else if constexpr (K == A::silu) {
        const float s = fast_sigmoid(v);
        return s * (1.0F + v * (1.0F - s));
    } else if constexpr (K == A::hard_silu) {
        const float inside = v * (1.0F / 3.0F) + 0.5F;
        return v <= -3.0F ? 0.0F : (v >= 3.0F ? 1.0F : inside);
    } else if constexpr (K == A::gelu) {
        return fast_normal_cdf(v) + v * density_at_0 * fast_exp(-0.5F * v * v);
    } else if constexpr (K == A::gelu_tanh) {
        const float s = fast_sigmoid(2.0F * root_2_over_pi * v * (1.0F + gelu_cubic * v * v));
        const float slope = 2.0F * root_2_over_pi * (1.0F + 3.0F * gelu_cubic * v * v);
        return s + v * slope * s * (1.0F - s);
    } else if constexpr (K == A::hard_sigmoid) {
        return v > 0.0F && v < 1.0F ? 1.0F / 6.0F : 0.0F;
    } else if constexpr (K == A::mish) {
        const float e = fast_exp(v > 20.0F ? 20.0F : v);
        const float w = e * (e + 2.0F);
        const float t = w / (w + 2.0F);
        return t + v * (e / (1.0F + e)) * (1.0F - t * t);
    } else if constexpr (K == A::celu) {
        return v > 0.0F ? 1.0F : v / alpha + 1.0F;
    } else if constexpr (K == A::hard_tanh) {
        return v > -1.0F && v < 1.0F ? 1.0F : 0.0F;
    } else if constexpr (K == A::hard_shrink || K == A::soft_shrink) {
        return v != 0.0F ? 1.0F : 0.0F;
    } else if constexpr (K == A::tanh_shrink) {
        const float t = fast_tanh(v);
        return t * t;
    } else if constexpr (K == A::squareplus) {
        return v * v / (1.0F + v * v);
    } else if constexpr (K == A::sparse_plus) {
        const float root = std::sqrt(v > 0.0F ? v : 0.0F);
        return v < 1.0F ? root : 1.0F;
    } else if constexpr (K == A::log_sigmoid) {
        return -fast_expm1(v);
    } else if constexpr (K == A::sparse_sigmoid) {
        return v > 0.0F && v < 1.0F ? 0.5F : 0.0F;
    } else {
        return 1.0F;
    }
}
// NOLINTEND(readability-function-size)

// Calls use.template operator()<K>() with the kind as a template argument; row-wise kinds are not
// taken. Returns what it returns.
template <typename Use, std::size_t... I>
auto with_kind(ActivationKind kind, const Use& use, std::index_sequence<I...>) {
    using Result = decltype(use.template operator()<ActivationKind::linear>());
    using Function = Result (*)(const Use&);
    static constexpr Function table[] = {[](const Use& u) -> Result {
        return u.template operator()<static_cast<ActivationKind>(I)>();
    }...};
    return table[static_cast<std::size_t>(kind)](use);
}

template <typename Use>
auto with_kind(ActivationKind kind, const Use& use) {
    constexpr auto count = static_cast<std::size_t>(ActivationKind::softmax);
    return with_kind(kind, use, std::make_index_sequence<count>{});
}

}  // namespace strata::cpu
