// Optimizer updates over flat arrays, and the sum of squares for the gradient's norm.
#include <cmath>

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"

namespace strata::cpu {
namespace {

void expect_same_size(const Request& request) {
    for (const Tensor& tensor : request.inputs)
        request.expect(tensor.elements() == request.inputs[0].elements(),
                       "operands differ in size");
}

void sgd_plain(const Operands& o, float lr, float gradient_scale) {
    float* w = o.inout(0);
    const float* g = o.in(1);
    for_range(o.threads, o.inputs[0].elements(), 12, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) w[i] -= lr * (g[i] * gradient_scale);
        });
    });
}

template <bool Nesterov>
void sgd_momentum(const Operands& o, float momentum, float lr, float gradient_scale) {
    float* w = o.inout(0);
    const float* g = o.in(1);
    float* velocity = o.inout(2);
    for_range(o.threads, o.inputs[0].elements(), 20, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) {
                const float change = lr * (g[i] * gradient_scale);
                const float v = momentum * velocity[i] - change;
                velocity[i] = v;
                w[i] += Nesterov ? momentum * v - change : v;
            }
        });
    });
}

struct AdamFactors {
    float beta_1, beta_2, rest_1, rest_2, epsilon, alpha, gradient_scale;
};

AdamFactors adam_factors(const ops::AdamUpdate& op, const ops::StepScalars& s) {
    const auto t = static_cast<double>(s.update);
    const double b1 = static_cast<double>(op.beta_1);
    const double b2 = static_cast<double>(op.beta_2);
    const double alpha = static_cast<double>(s.learning_rate) * std::sqrt(1.0 - std::pow(b2, t)) /
                         (1.0 - std::pow(b1, t));
    return {op.beta_1,
            op.beta_2,
            1.0F - op.beta_1,
            1.0F - op.beta_2,
            op.epsilon,
            static_cast<float>(alpha),
            static_cast<float>(s.gradient_scale)};
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
                const float g = gradient[i] * f.gradient_scale;
                const float first = m[i] + (g - m[i]) * f.rest_1;
                const float second = v[i] + (g * g - v[i]) * f.rest_2;
                m[i] = first;
                v[i] = second;
                w[i] -= f.alpha * first / (std::sqrt(second) + f.epsilon);
            }
        });
    });
}

constexpr int most_parts = 64;

// Sixteen sums side by side: one would wait for each addition before the next.
double sum_of_squares(const float* x, std::int64_t n) {
    double total = 0.0;
    double* result = &total;
    simd([=]() STRATA_BODY {
        constexpr std::int64_t lanes = 16;
        double sums[lanes] = {};
        const std::int64_t whole = n / lanes * lanes;
        for (std::int64_t i = 0; i < whole; i += lanes) {
#pragma omp simd
            for (std::int64_t l = 0; l < lanes; ++l) {
                const auto value = static_cast<double>(x[i + l]);
                sums[l] += value * value;
            }
        }
        for (std::int64_t i = whole; i < n; ++i)
            sums[i - whole] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
        double sum = 0.0;
        for (double part : sums) sum += part;
        *result = sum;
    });
    return total;
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SgdUpdate& op) {
    const bool momentum = op.momentum != 0.0F;
    request.expect_counts(momentum ? 3 : 2, 3, 0, 3);
    request.expect_float32();
    expect_same_size(request);
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars& s) {
        const auto scale = static_cast<float>(s.gradient_scale);
        if (op.momentum == 0.0F)
            sgd_plain(o, s.learning_rate, scale);
        else if (op.nesterov)
            sgd_momentum<true>(o, op.momentum, s.learning_rate, scale);
        else
            sgd_momentum<false>(o, op.momentum, s.learning_rate, scale);
    });
}

KernelPtr make_kernel(const Request& request, const ops::AdamUpdate& op) {
    request.expect_counts(4, 4, 0, 4);
    request.expect_float32();
    expect_same_size(request);
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars& s) {
        adam(o, adam_factors(op, s));
    });
}

KernelPtr make_kernel(const Request& request, const ops::SumOfSquares&) {
    request.expect_counts(1, 1, 1, 1);
    request.expect(request.inputs[0].dtype == DType::float32, "x must be float32");
    request.expect(request.outputs[0].dtype == DType::float64, "the sum must be float64");
    return function_kernel(request.device, [](const Operands& o, const ops::StepScalars&) {
        const float* x = o.in(0);
        const std::int64_t n = o.inputs[0].elements();
        const int parts = parts_of(n * 4, parallel_grain, std::min(o.threads, most_parts));
        double sums[most_parts];
        for_parts(parts, [&](int part) {
            const std::int64_t begin = n * part / parts;
            sums[part] = sum_of_squares(x + begin, n * (part + 1) / parts - begin);
        });
        double total = 0.0;
        for (int part = 0; part < parts; ++part) total += sums[part];
        *o.out<double>(0) = total;
    });
}

}  // namespace strata::cpu
