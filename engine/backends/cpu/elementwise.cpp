// Scale and shift, sums, fills, block copies.
#include <algorithm>
#include <cstring>

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/ops/elementwise_operands.h"

namespace strata::cpu {
namespace {

template <typename T>
void scale_shift(const T* x, float* y, std::int64_t n, ops::ScaleShift op, int threads) {
    for_range(threads, n, sizeof(T) + sizeof(float), 16, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            const float scale = op.scale;
            const float offset = op.offset;
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i)
                y[i] = static_cast<float>(x[i]) * scale + offset;
        });
    });
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

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::ScaleShift& op) {
    request.expect_counts(1, 1, 1, 1);
    request.expect(request.outputs[0].dtype == DType::float32, "y must be float32");
    request.expect(request.inputs[0].elements() == request.outputs[0].elements(),
                   "x and y differ in size");
    const DType type = request.inputs[0].dtype;
    request.expect(type == DType::float32 || type == DType::uint8,
                   std::string("x is ") + name_of(type) + ", float32 or uint8 is needed");
    return function_kernel(request.device, [op, type](const Operands& o, const ops::StepScalars&) {
        const std::int64_t n = o.outputs[0].elements();
        if (type == DType::uint8)
            scale_shift(o.in<std::uint8_t>(0), o.out(0), n, op, o.threads);
        else
            scale_shift(o.in(0), o.out(0), n, op, o.threads);
    });
}

KernelPtr make_kernel(const Request& request, const ops::AddN&) {
    request.expect_counts(2, SIZE_MAX, 1, 1);
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
    request.expect_float32();
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars&) {
        float* y = o.out(0);
        for_range(
            o.threads, o.outputs[0].elements(), 4, 16,
            [=](std::int64_t begin, std::int64_t end) { std::fill(y + begin, y + end, op.value); });
    });
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
