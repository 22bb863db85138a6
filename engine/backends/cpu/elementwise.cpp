// Scale and shift, sums, fills, block copies.
#include <algorithm>
#include <cstring>

#include "engine/backends/cpu/convert.h"
#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/core/half.h"
#include "engine/ops/elementwise_operands.h"

namespace strata::cpu {
namespace {

// y = x * scale + offset on one thread.
template <typename T>
void scale_shift(const T* x, float* y, std::int64_t n, ops::ScaleShift op) {
    simd([=]() STRATA_BODY {
        const float scale = op.scale;
        const float offset = op.offset;
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(x[i]) * scale + offset;
    });
}

void scale_shift_to_float32(DType type, const void* x, float* y, std::int64_t n,
                            ops::ScaleShift op) {
    if (type == DType::uint8) return scale_shift(static_cast<const std::uint8_t*>(x), y, n, op);
    if (type == DType::float32) return scale_shift(static_cast<const float*>(x), y, n, op);
    to_float32(type, x, y, n);
    if (op.scale != 1.0F || op.offset != 0.0F) scale_shift(y, y, n, op);
}

// Results of 16 bits are computed in blocks that stay in a cache, then rounded.
void scale_shift_any(DType from, const void* x, DType to, void* y, std::int64_t n,
                     ops::ScaleShift op) {
    if (to == DType::float32) return scale_shift_to_float32(from, x, static_cast<float*>(y), n, op);
    if (from == DType::float32 && op.scale == 1.0F && op.offset == 0.0F)
        return from_float32(to, static_cast<const float*>(x), y, n);
    constexpr std::int64_t block = 2048;
    float stage[block];
    const auto* source = static_cast<const std::byte*>(x);
    auto* target = static_cast<std::byte*>(y);
    for (std::int64_t first = 0; first < n; first += block) {
        const std::int64_t size = std::min(block, n - first);
        scale_shift_to_float32(from, source + first * static_cast<std::int64_t>(size_of(from)),
                               stage, size, op);
        from_float32(to, stage, target + first * static_cast<std::int64_t>(size_of(to)), size);
    }
}

// y = a + b; y may be either.
void add(const float* a, const float* b, float* y, std::int64_t n, int threads) {
    for_range(threads, n, 12, 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) y[i] = a[i] + b[i];
        });
    });
}

// Each element is read from all inputs before it is written: y may be any of them, and one input
// may come several times.
void add_all(const Operands& o) {
    constexpr std::int64_t block = 1024;
    const auto cost = static_cast<std::int64_t>(4 * (o.inputs.size() + 1));
    const Tensor* inputs = o.inputs.data();
    const std::size_t count = o.inputs.size();
    float* y = o.out(0);
    for_range(
        o.threads, o.outputs[0].elements(), cost, 16, [=](std::int64_t begin, std::int64_t end) {
            simd([=]() STRATA_BODY {
                float sum[block];
                for (std::int64_t first = begin; first < end; first += block) {
                    const std::int64_t size = std::min(block, end - first);
                    std::memset(sum, 0, sizeof sum);
                    for (std::size_t k = 0; k < count; ++k) {
                        const float* x = static_cast<const float*>(inputs[k].data) + first;
#pragma omp simd
                        for (std::int64_t i = 0; i < size; ++i) sum[i] += x[i];
                    }
                    std::memcpy(y + first, sum, static_cast<std::size_t>(size) * sizeof(float));
                }
            });
        });
}

template <typename T>
KernelPtr fill_kernel(const Request& request, T value) {
    return function_kernel(request.device, [value](const Operands& o, const ops::StepScalars&) {
        T* y = o.out<T>(0);
        for_range(
            o.threads, o.outputs[0].elements(), sizeof(T), 64,
            [=](std::int64_t begin, std::int64_t end) { std::fill(y + begin, y + end, value); });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::ScaleShift& op) {
    request.expect_counts(1, 1, 1, 1);
    const DType from = request.inputs[0].dtype;
    const DType to = request.outputs[0].dtype;
    request.expect(
        is_compute_type(from) || from == DType::uint8,
        std::string("x is ") + name_of(from) + "; float32, bfloat16, float16 or uint8 is needed");
    request.expect(is_compute_type(to),
                   std::string("y is ") + name_of(to) + "; float32, bfloat16 or float16 is needed");
    request.expect(request.inputs[0].elements() == request.outputs[0].elements(),
                   "x and y differ in size");
    return function_kernel(
        request.device, [op, from, to](const Operands& o, const ops::StepScalars&) {
            const auto x_size = static_cast<std::int64_t>(size_of(from));
            const auto y_size = static_cast<std::int64_t>(size_of(to));
            for_range(o.threads, o.outputs[0].elements(), x_size + y_size, 64,
                      [&](std::int64_t begin, std::int64_t end) {
                          scale_shift_any(from, o.in<std::byte>(0) + begin * x_size, to,
                                          o.out<std::byte>(0) + begin * y_size, end - begin, op);
                      });
        });
}

KernelPtr make_kernel(const Request& request, const ops::AddN& op) {
    request.expect_counts(2, SIZE_MAX, 1, 1);
    if (has_16_bit(request)) return sliced_kernel(request, SliceUnit::element, op);
    request.expect_float32();
    request.expect_same_size();
    return function_kernel(request.device, [](const Operands& o, const ops::StepScalars&) {
        if (o.inputs.size() == 2)
            add(o.in(0), o.in(1), o.out(0), o.outputs[0].elements(), o.threads);
        else
            add_all(o);
    });
}

KernelPtr make_kernel(const Request& request, const ops::Fill& op) {
    request.expect_counts(0, 0, 1, 1);
    const DType type = request.outputs[0].dtype;
    if (type == DType::bfloat16) return fill_kernel(request, to_bfloat16(op.value));
    if (type == DType::float16) return fill_kernel(request, to_float16(op.value));
    request.expect_float32();
    return fill_kernel(request, op.value);
}

KernelPtr make_kernel(const Request& request, const ops::CopyBlock& op) {
    ops::expect_block(request, op);
    const auto size = static_cast<std::int64_t>(size_of(request.inputs[0].dtype));
    return function_kernel(request.device, [op, size](const Operands& o, const ops::StepScalars&) {
        const char* x = o.in<char>(0) + op.x_offset * size;
        char* y = o.out<char>(0) + op.y_offset * size;
        const std::int64_t width = op.width * size;
        if (width == 0) return;
        for_range(o.threads, op.rows, 2 * width + 16, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r)
                std::memcpy(y + r * op.y_stride * size, x + r * op.x_stride * size,
                            static_cast<std::size_t>(width));
        });
    });
}

}  // namespace strata::cpu
