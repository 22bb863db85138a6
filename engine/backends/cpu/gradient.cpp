// What happens to gradients before the update: their norm, accumulation over micro-batches,
// clipping by each variable's norm.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/core/half.h"
#include "engine/ops/optimizer_operands.h"

namespace strata::cpu {
namespace {

constexpr int most_parts = 64;

// Sixteen sums side by side: one would wait for each addition before the next.
double sum_of_part(const float* x, std::int64_t n) {
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

double sum_of_squares(int threads, const float* x, std::int64_t n) {
    const int parts = parts_of(n * 4, parallel_grain, std::min(threads, most_parts));
    double sums[most_parts];
    for_parts(parts, [&](int part) {
        const std::int64_t begin = n * part / parts;
        sums[part] = sum_of_part(x + begin, n * (part + 1) / parts - begin);
    });
    double total = 0.0;
    for (int part = 0; part < parts; ++part) total += sums[part];
    return total;
}

void multiply(int threads, float* x, std::int64_t n, float factor) {
    for_range(threads, n, 8, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) x[i] *= factor;
        });
    });
}

template <typename T>
void accumulate(const Operands& o, const ops::StepScalars& s) {
    float* sum = o.inout(0);
    const auto* g = o.in<T>(1);
    const bool first = s.first_in_window;
    for_range(o.threads, o.inputs[0].elements(), 12, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            // NOLINTNEXTLINE(bugprone-branch-clone): it takes the loops behind a pragma for alike
            if (first) {
#pragma omp simd
                for (std::int64_t i = begin; i < end; ++i) sum[i] = to_float(g[i]);
            } else {
#pragma omp simd
                for (std::int64_t i = begin; i < end; ++i) sum[i] += to_float(g[i]);
            }
        });
    });
}

void accumulate_sums(const Operands& o, const ops::StepScalars& s) {
    auto* sum = o.inout<double>(0);
    const auto* x = o.in<double>(1);
    for (std::int64_t i = 0; i < o.inputs[0].elements(); ++i)
        sum[i] = s.first_in_window ? x[i] : sum[i] + x[i];
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SumOfSquares& op) {
    check_operands(request, op);
    return function_kernel(request.device, [](const Operands& o, const ops::StepScalars&) {
        const bool finite = o.inputs.size() < 2 || std::isfinite(*o.in<double>(1));
        const double sum = sum_of_squares(o.threads, o.in(0), o.inputs[0].elements());
        *o.out<double>(0) = finite ? sum : std::numeric_limits<double>::quiet_NaN();
    });
}

KernelPtr make_kernel(const Request& request, const ops::AccumulateGradient& op) {
    check_operands(request, op);
    auto* run = accumulate<float>;
    if (request.inputs[1].dtype == DType::bfloat16) run = accumulate<BFloat16>;
    if (request.inputs[1].dtype == DType::float16) run = accumulate<Float16>;
    if (request.inputs[1].dtype == DType::float64) run = accumulate_sums;
    return function_kernel(request.device,
                           [run](const Operands& o, const ops::StepScalars& s) { run(o, s); });
}

KernelPtr make_kernel(const Request& request, const ops::ClipByVariableNorm& op) {
    check_operands(request, op);
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars& s) {
        const auto limit = static_cast<double>(s.clip_limit);
        if (!(limit > 0.0)) return;
        for (const ops::Segment& segment : op.segments) {
            float* g = o.inout(0) + segment.offset;
            const double norm =
                std::sqrt(sum_of_squares(o.threads, g, segment.count)) * s.gradient_scale;
            if (norm > limit && std::isfinite(norm))
                multiply(o.threads, g, segment.count, static_cast<float>(limit / norm));
        }
    });
}

}  // namespace strata::cpu
