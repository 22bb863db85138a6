// What happens to gradients before the update: their norm, accumulation over micro-batches,
// clipping by each variable's norm.
#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
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

struct Single {
    using Bits = float;
    STRATA_INLINE static float value(float x) { return x; }
};

struct BFloat {
    using Bits = std::uint16_t;
    STRATA_INLINE static float value(std::uint16_t x) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16);
    }
};

// float16 by its bits: exponent and mantissa move up, the exponent's bias grows by 112; all ones in
// the exponent stay all ones; under the smallest exponent the mantissa counts units of 2^-24.
struct Half {
    using Bits = std::uint16_t;
    STRATA_INLINE static float value(std::uint16_t x) {
        const std::uint32_t magnitude = x & 0x7FFFU;
        const std::uint32_t bias = magnitude >= 0x7C00U ? 224U << 23 : 112U << 23;
        const float normal = std::bit_cast<float>((magnitude << 13) + bias);
        const float tiny = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24F;
        const auto bits = std::bit_cast<std::uint32_t>(magnitude < 0x0400U ? tiny : normal);
        return std::bit_cast<float>(bits | (static_cast<std::uint32_t>(x & 0x8000U) << 16));
    }
};

template <typename Type>
void accumulate(const Operands& o, const ops::StepScalars& s) {
    float* sum = o.inout(0);
    const auto* g = o.in<typename Type::Bits>(1);
    const bool first = s.first_in_window;
    for_range(o.threads, o.inputs[0].elements(), 12, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            if (first) {
#pragma omp simd
                for (std::int64_t i = begin; i < end; ++i) sum[i] = Type::value(g[i]);
            } else {
#pragma omp simd
                for (std::int64_t i = begin; i < end; ++i) sum[i] += Type::value(g[i]);
            }
        });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SumOfSquares& op) {
    check_operands(request, op);
    return function_kernel(request.device, [](const Operands& o, const ops::StepScalars&) {
        *o.out<double>(0) = sum_of_squares(o.threads, o.in(0), o.inputs[0].elements());
    });
}

KernelPtr make_kernel(const Request& request, const ops::AccumulateGradient& op) {
    check_operands(request, op);
    auto* run = accumulate<Single>;
    if (request.inputs[1].dtype == DType::bfloat16) run = accumulate<BFloat>;
    if (request.inputs[1].dtype == DType::float16) run = accumulate<Half>;
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
