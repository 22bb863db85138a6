// exp, log1p, tanh and erf without branches or tables, so that the loops around them vectorise.
// Polynomials fitted at Chebyshev nodes; relative errors below 1e-6 (below 1e-5 in the tail of
// erfc).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/backends/cpu/simd.h"

namespace strata::cpu {

// 0 below -104, Inf above 88.73; NaN stays.
STRATA_INLINE float fast_exp(float x) {
    constexpr float shift = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
    x = x > 89.0F ? 89.0F : x;
    x = x < -104.0F ? -104.0F : x;
    const float shifted = x * 1.44269504F + shift;
    const auto n = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(shifted) -
                                             std::bit_cast<std::uint32_t>(shift));
    const float rounded = shifted - shift;
    const float r = (x - rounded * 0.693145752F) - rounded * 1.42860677e-6F;
    float q = 0.00139336765F;
    q = q * r + 0.00836319756F;
    q = q * r + 0.041666463F;
    q = q * r + 0.166665763F;
    q = q * r + 0.5F;
    const float p = q * (r * r) + r + 1.0F;
    // 2^n in two factors: reaches denormal numbers and infinity.
    const std::int32_t half = n >> 1;
    const auto power = [](std::int32_t e) STRATA_BODY {
        return std::bit_cast<float>(static_cast<std::uint32_t>(e + 127) << 23);
    };
    return p * power(half) * power(n - half);
}

// exp(x) - 1, relative error small near 0.
STRATA_INLINE float fast_expm1(float x) {
    float q = 0.000198993192F;
    q = q * x + 0.00139336765F;
    q = q * x + 0.00833329838F;
    q = q * x + 0.041666463F;
    q = q * x + 0.166666672F;
    q = q * x + 0.5F;
    const float near = q * (x * x) + x;
    const float far = fast_exp(x) - 1.0F;
    return std::fabs(x) < 0.3466F ? near : far;
}

// log(1 + t) for t in [0, 1]: 2 atanh(t / (2 + t)).
STRATA_INLINE float fast_log1p_unit(float t) {
    const float s = t / (2.0F + t);
    const float z = s * s;
    float q = 1.0F / 13.0F;
    q = q * z + 1.0F / 11.0F;
    q = q * z + 1.0F / 9.0F;
    q = q * z + 1.0F / 7.0F;
    q = q * z + 1.0F / 5.0F;
    q = q * z + 1.0F / 3.0F;
    return 2.0F * (s + s * z * q);
}

// log(1 + exp(x)) without overflow.
STRATA_INLINE float fast_softplus(float x) {
    const float positive = x > 0.0F ? x : 0.0F * x;  // keeps NaN
    return positive + fast_log1p_unit(fast_exp(-std::fabs(x)));
}

STRATA_INLINE float fast_sigmoid(float x) {
    return 1.0F / (1.0F + fast_exp(-x));
}

STRATA_INLINE float fast_tanh(float x) {
    const float a = std::fabs(x);
    const float z = x * x;
    float q = -0.0061049494F;
    q = q * z + 0.0210036431F;
    q = q * z - 0.0538524985F;
    q = q * z + 0.133327827F;
    q = q * z - 0.333333284F;
    const float near = x + x * z * q;
    const float far = std::copysign(1.0F - 2.0F / (fast_exp(2.0F * a) + 1.0F), x);
    return a < 0.625F ? near : far;
}

// 1 - erf(x) for x >= 0, as t exp(-x^2 + Q(t)) with t = 1 / (1 + x / 2).
STRATA_INLINE float fast_erfc_positive(float x) {
    x = x > 10.5F ? 10.5F : x;
    const float t = 1.0F / (1.0F + 0.5F * x);
    float q = 0.159103125F;
    q = q * t - 0.757416904F;
    q = q * t + 1.33533442F;
    q = q * t - 0.931416452F;
    q = q * t + 0.111748442F;
    q = q * t - 0.0992081612F;
    q = q * t + 0.0681579039F;
    q = q * t + 0.379770637F;
    q = q * t + 0.999412239F;
    q = q * t - 1.26548529F;
    return t * fast_exp(q - x * x);
}

// Distribution function of the standard normal law.
STRATA_INLINE float fast_normal_cdf(float x) {
    const float tail = 0.5F * fast_erfc_positive(std::fabs(x) * 0.707106781F);
    return x > 0.0F ? 1.0F - tail : tail;
}

}  // namespace strata::cpu
