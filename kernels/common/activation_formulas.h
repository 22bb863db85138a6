// f(x) and f'(x) of every element-wise activation, Keras 3's definitions and defaults.
#pragma once

#include <cmath>

#include "kernels/activation.h"
#include "kernels/common/launch.h"

namespace strata::kernels {

// selu: Klambauer et al., arXiv 1706.02515.
inline constexpr float selu_alpha = 1.6732632423543772848F;
inline constexpr float selu_scale = 1.0507009873554804934F;
inline constexpr float shrink_threshold = 0.5F;
inline constexpr float squareplus_b = 4.0F;
inline constexpr float inverse_sqrt_2 = 0.70710678118654752440F;
inline constexpr float inverse_sqrt_2_pi = 0.39894228040143267794F;  // 1 / sqrt(2 pi)
inline constexpr float sqrt_2_over_pi = 0.79788456080286535588F;
inline constexpr float gelu_cubic = 0.044715F;

// Written with comparisons that NaN fails, so that NaN stays NaN.
__device__ inline float clamp(float x, float low, float high) {
    return x < low ? low : (x > high ? high : x);
}

__device__ inline float sigmoid(float x) {
    // exp only of what is <= 0: no overflow, and small results keep their relative precision.
    const float e = expf(-fabsf(x));
    return x >= 0.0F ? 1.0F / (1.0F + e) : e / (1.0F + e);
}

__device__ inline float softplus(float x) {
    return (x > 0.0F ? x : 0.0F) + log1pf(expf(-fabsf(x)));
}

// (x + root) / 2; the other form below 0, where that difference would lose every digit.
__device__ inline float squareplus(float x) {
    const float root = sqrtf(x * x + squareplus_b);
    return x > 0.0F ? 0.5F * (x + root) : 0.5F * squareplus_b / (root - x);
}

__device__ inline float gelu_tanh_inner(float x) {
    return sqrt_2_over_pi * (x + gelu_cubic * x * x * x);
}

__device__ inline float activate(float x, Activation f) {
    switch (f.kind) {
        case ActivationKind::linear:
            return x;
        case ActivationKind::relu:
            return x < 0.0F ? 0.0F : x;
        case ActivationKind::sigmoid:
            return sigmoid(x);
        case ActivationKind::tanh:
            return tanhf(x);
        case ActivationKind::softplus:
            return softplus(x);
        case ActivationKind::softsign:
            return x / (1.0F + fabsf(x));
        case ActivationKind::elu:
            return x > 0.0F ? x : f.alpha * expm1f(x);
        case ActivationKind::selu:
            return selu_scale * (x > 0.0F ? x : selu_alpha * expm1f(x));
        case ActivationKind::exponential:
            return expf(x);
        case ActivationKind::leaky_relu:
            return x < 0.0F ? f.alpha * x : x;
        case ActivationKind::relu6:
            return clamp(x, 0.0F, 6.0F);
        case ActivationKind::silu:
            return x * sigmoid(x);
        case ActivationKind::hard_silu:
            return x * (clamp(x + 3.0F, 0.0F, 6.0F) / 6.0F);
        case ActivationKind::gelu:
            return 0.5F * x * erfcf(-x * inverse_sqrt_2);
        case ActivationKind::gelu_tanh:
            return 0.5F * x * (1.0F + tanhf(gelu_tanh_inner(x)));
        case ActivationKind::hard_sigmoid:
            return clamp(x + 3.0F, 0.0F, 6.0F) / 6.0F;
        case ActivationKind::mish:
            return x * tanhf(softplus(x));
        case ActivationKind::celu:
            return x > 0.0F ? x : f.alpha * expm1f(x / f.alpha);
        case ActivationKind::hard_tanh:
            return clamp(x, -1.0F, 1.0F);
        case ActivationKind::hard_shrink:
            return fabsf(x) <= shrink_threshold ? 0.0F : x;
        case ActivationKind::soft_shrink:
            return x - clamp(x, -shrink_threshold, shrink_threshold);
        case ActivationKind::tanh_shrink:
            return x - tanhf(x);
        case ActivationKind::squareplus:
            return squareplus(x);
        case ActivationKind::sparse_plus:
            return x <= -1.0F ? 0.0F : (x < 1.0F ? 0.25F * (x + 1.0F) * (x + 1.0F) : x);
        case ActivationKind::log_sigmoid:
            return -softplus(-x);
        case ActivationKind::sparse_sigmoid:
            return clamp(0.5F * (x + 1.0F), 0.0F, 1.0F);
    }
    return x;
}

__device__ inline float inside(float x, float low, float high, float value) {
    return x > low && x < high ? value : 0.0F;
}

__device__ inline float mish_gradient(float x) {
    const float t = tanhf(softplus(x));
    return t + x * (1.0F - t * t) * sigmoid(x);
}

__device__ inline float gelu_gradient(float x) {
    return 0.5F * erfcf(-x * inverse_sqrt_2) + x * inverse_sqrt_2_pi * expf(-0.5F * x * x);
}

__device__ inline float gelu_tanh_gradient(float x) {
    const float t = tanhf(gelu_tanh_inner(x));
    const float inner = sqrt_2_over_pi * (1.0F + 3.0F * gelu_cubic * x * x);
    return 0.5F * (1.0F + t) + 0.5F * x * (1.0F - t * t) * inner;
}

// f'(x) from x.
__device__ inline float gradient_from_input(float x, Activation f) {
    switch (f.kind) {
        case ActivationKind::linear:
            return 1.0F;
        case ActivationKind::relu:
            return x > 0.0F ? 1.0F : 0.0F;
        case ActivationKind::sigmoid: {
            const float s = sigmoid(x);
            return s * (1.0F - s);
        }
        case ActivationKind::tanh: {
            const float t = tanhf(x);
            return 1.0F - t * t;
        }
        case ActivationKind::softplus:
            return sigmoid(x);
        case ActivationKind::softsign: {
            const float d = 1.0F + fabsf(x);
            return 1.0F / (d * d);
        }
        case ActivationKind::elu:
            return x > 0.0F ? 1.0F : f.alpha * expf(x);
        case ActivationKind::selu:
            return selu_scale * (x > 0.0F ? 1.0F : selu_alpha * expf(x));
        case ActivationKind::exponential:
            return expf(x);
        case ActivationKind::leaky_relu:
            return x > 0.0F ? 1.0F : f.alpha;
        case ActivationKind::relu6:
            return inside(x, 0.0F, 6.0F, 1.0F);
        case ActivationKind::silu: {
            const float s = sigmoid(x);
            return s * (1.0F + x * (1.0F - s));
        }
        case ActivationKind::hard_silu:
            return x <= -3.0F ? 0.0F : (x < 3.0F ? (2.0F * x + 3.0F) / 6.0F : 1.0F);
        case ActivationKind::gelu:
            return gelu_gradient(x);
        case ActivationKind::gelu_tanh:
            return gelu_tanh_gradient(x);
        case ActivationKind::hard_sigmoid:
            return inside(x, -3.0F, 3.0F, 1.0F / 6.0F);
        case ActivationKind::mish:
            return mish_gradient(x);
        case ActivationKind::celu:
            return x > 0.0F ? 1.0F : expf(x / f.alpha);
        case ActivationKind::hard_tanh:
            return inside(x, -1.0F, 1.0F, 1.0F);
        case ActivationKind::hard_shrink:
        case ActivationKind::soft_shrink:
            return fabsf(x) > shrink_threshold ? 1.0F : 0.0F;
        case ActivationKind::tanh_shrink: {
            const float t = tanhf(x);
            return t * t;
        }
        case ActivationKind::squareplus:
            return 0.5F * (1.0F + x / sqrtf(x * x + squareplus_b));
        case ActivationKind::sparse_plus:
            return x <= -1.0F ? 0.0F : (x < 1.0F ? 0.5F * (x + 1.0F) : 1.0F);
        case ActivationKind::log_sigmoid:
            return sigmoid(-x);
        case ActivationKind::sparse_sigmoid:
            return inside(x, -1.0F, 1.0F, 0.5F);
    }
    return 1.0F;
}

// f'(x) from y = f(x), for the kinds of derivative_from_output().
__device__ inline float gradient_from_output(float y, Activation f) {
    switch (f.kind) {
        case ActivationKind::relu:
            return y > 0.0F ? 1.0F : 0.0F;
        case ActivationKind::sigmoid:
            return y * (1.0F - y);
        case ActivationKind::tanh:
            return 1.0F - y * y;
        case ActivationKind::softplus:
            return -expm1f(-y);
        case ActivationKind::softsign: {
            const float d = 1.0F - fabsf(y);
            return d * d;
        }
        case ActivationKind::elu:
            return y > 0.0F ? 1.0F : y + f.alpha;
        case ActivationKind::selu:
            return y > 0.0F ? selu_scale : y + selu_scale * selu_alpha;
        case ActivationKind::exponential:
            return y;
        case ActivationKind::leaky_relu:
            return y > 0.0F ? 1.0F : f.alpha;
        case ActivationKind::relu6:
            return inside(y, 0.0F, 6.0F, 1.0F);
        case ActivationKind::hard_sigmoid:
            return inside(y, 0.0F, 1.0F, 1.0F / 6.0F);
        case ActivationKind::celu:
            return y > 0.0F ? 1.0F : 1.0F + y / f.alpha;
        case ActivationKind::hard_tanh:
            return inside(y, -1.0F, 1.0F, 1.0F);
        case ActivationKind::hard_shrink:
        case ActivationKind::soft_shrink:
            return y != 0.0F ? 1.0F : 0.0F;
        case ActivationKind::squareplus:
            return 1.0F / (1.0F + 1.0F / (y * y));  // x = y - 1 / y
        case ActivationKind::sparse_plus:
            return y < 1.0F ? sqrtf(y) : 1.0F;
        case ActivationKind::log_sigmoid:
            return -expm1f(y);
        case ActivationKind::sparse_sigmoid:
            return inside(y, 0.0F, 1.0F, 0.5F);
        default:
            return 1.0F;
    }
}

}  // namespace strata::kernels
