// softmax, log_softmax and sparsemax over the last axis, one row after the other.
#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/rows.h"

namespace strata::cpu {
namespace {

STRATA_INLINE void log_softmax_row(const float* x, float* y, std::int64_t n) {
    const float top = row_max(x, n);
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += fast_exp(x[i] - top);
    const float offset = top + std::log(sum);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] - offset;
}

// Martins and Astudillo, arXiv 1602.02068: y = max(x - tau, 0) with tau so that the row sums to 1.
// tau is the root of a convex decreasing piecewise linear function: Newton's method from the left
// meets it after finitely many steps.
STRATA_INLINE void sparsemax_row(const float* x, float* y, std::int64_t n) {
    const float top = row_max(x, n);
    float tau = -1.0F;  // relative to top: sum(max(x - top + 1, 0)) >= 1
    for (std::int64_t step = 0; step <= n; ++step) {
        float sum = 0.0F;
        float count = 0.0F;
#pragma omp simd reduction(+ : sum, count)
        for (std::int64_t i = 0; i < n; ++i) {
            const float z = x[i] - top;
            sum += z > tau ? z : 0.0F;
            count += z > tau ? 1.0F : 0.0F;
        }
        const float next = (sum - 1.0F) / count;
        if (!(next > tau)) break;
        tau = next;
    }
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float z = x[i] - top - tau;
        y[i] = z > 0.0F ? z : 0.0F;
    }
}

STRATA_INLINE void softmax_backward_row(const float* dy, const float* y, float* dx,
                                        std::int64_t n) {
    float dot = 0.0F;
#pragma omp simd reduction(+ : dot)
    for (std::int64_t i = 0; i < n; ++i) dot += dy[i] * y[i];
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) dx[i] = y[i] * (dy[i] - dot);
}

STRATA_INLINE void log_softmax_backward_row(const float* dy, const float* y, float* dx,
                                            std::int64_t n) {
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += dy[i];
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) dx[i] = dy[i] - fast_exp(y[i]) * sum;
}

STRATA_INLINE void sparsemax_backward_row(const float* dy, const float* y, float* dx,
                                          std::int64_t n) {
    float sum = 0.0F;
    float count = 0.0F;
#pragma omp simd reduction(+ : sum, count)
    for (std::int64_t i = 0; i < n; ++i) {
        sum += y[i] > 0.0F ? dy[i] : 0.0F;
        count += y[i] > 0.0F ? 1.0F : 0.0F;
    }
    const float mean = sum / (count > 0.0F ? count : 1.0F);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
        const float d = dy[i] - mean;
        dx[i] = y[i] > 0.0F ? d : 0.0F;
    }
}

template <ActivationKind K>
void forward_rows(const float* x, float* y, std::int64_t rows, std::int64_t n) {
    simd([=]() STRATA_BODY {
        for (std::int64_t r = 0; r < rows; ++r) {
            if constexpr (K == ActivationKind::softmax) softmax_row(x + r * n, y + r * n, n);
            if constexpr (K == ActivationKind::log_softmax)
                log_softmax_row(x + r * n, y + r * n, n);
            if constexpr (K == ActivationKind::sparsemax) sparsemax_row(x + r * n, y + r * n, n);
        }
    });
}

template <ActivationKind K>
void backward_rows(const float* dy, const float* y, float* dx, std::int64_t rows, std::int64_t n) {
    simd([=]() STRATA_BODY {
        for (std::int64_t r = 0; r < rows; ++r) {
            const std::int64_t at = r * n;
            if constexpr (K == ActivationKind::softmax)
                softmax_backward_row(dy + at, y + at, dx + at, n);
            if constexpr (K == ActivationKind::log_softmax)
                log_softmax_backward_row(dy + at, y + at, dx + at, n);
            if constexpr (K == ActivationKind::sparsemax)
                sparsemax_backward_row(dy + at, y + at, dx + at, n);
        }
    });
}

template <typename Row>
KernelPtr rows_kernel(const Request& request, const Row& row) {
    const Matrix shape = matrix_of(request.outputs[0].shape);
    return function_kernel(request.device, [=](const Operands& o, const ops::StepScalars&) {
        if (shape.columns == 0) return;
        for_range(o.threads, shape.rows, 16 * shape.columns, 1,
                  [&](std::int64_t begin, std::int64_t end) { row(o, begin, end, shape.columns); });
    });
}

template <ActivationKind K>
KernelPtr forward_kernel(const Request& request) {
    return rows_kernel(
        request, [](const Operands& o, std::int64_t begin, std::int64_t end, std::int64_t n) {
            forward_rows<K>(o.in(0) + begin * n, o.out(0) + begin * n, end - begin, n);
        });
}

template <ActivationKind K>
KernelPtr backward_kernel(const Request& request) {
    return rows_kernel(
        request, [](const Operands& o, std::int64_t begin, std::int64_t end, std::int64_t n) {
            const std::int64_t at = begin * n;
            backward_rows<K>(o.in(0) + at, o.in(1) + at, o.out(0) + at, end - begin, n);
        });
}

}  // namespace

KernelPtr make_row_forward(const Request& request, ActivationKind kind) {
    if (kind == ActivationKind::softmax) return forward_kernel<ActivationKind::softmax>(request);
    if (kind == ActivationKind::log_softmax)
        return forward_kernel<ActivationKind::log_softmax>(request);
    return forward_kernel<ActivationKind::sparsemax>(request);
}

KernelPtr make_row_backward(const Request& request, ActivationKind kind) {
    if (kind == ActivationKind::softmax) return backward_kernel<ActivationKind::softmax>(request);
    if (kind == ActivationKind::log_softmax)
        return backward_kernel<ActivationKind::log_softmax>(request);
    return backward_kernel<ActivationKind::sparsemax>(request);
}

}  // namespace strata::cpu
