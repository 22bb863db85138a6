// Work on one row of a matrix, inlined into the bodies of simd(): activations and losses share it.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/backends/cpu/activation_functions.h"

namespace strata::cpu {

STRATA_INLINE float row_max(const float* x, std::int64_t n) {
    float top = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : top)
    for (std::int64_t i = 0; i < n; ++i) top = x[i] > top ? x[i] : top;
    return top;
}

// y = exp(x - max); returns their sum.
STRATA_INLINE float exp_row(const float* x, float* y, float top, std::int64_t n) {
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) {
        y[i] = fast_exp(x[i] - top);
        sum += y[i];
    }
    return sum;
}

STRATA_INLINE void scale_row(float* y, float factor, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] *= factor;
}

STRATA_INLINE void softmax_row(const float* x, float* y, std::int64_t n) {
    const float sum = exp_row(x, y, row_max(x, n), n);
    scale_row(y, 1.0F / sum, n);
}

// Index of the first of the largest; NaN is larger than any number.
STRATA_INLINE std::int64_t first_of_largest(const float* x, std::int64_t n) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < n && !std::isnan(x[best]); ++i)
        if (!(x[i] <= x[best])) best = i;
    return best;
}

}  // namespace strata::cpu
