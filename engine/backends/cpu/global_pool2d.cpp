// Global average pooling: the mean over height and width.
#include <algorithm>

#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/ops/pool2d_operands.h"

namespace strata::cpu {
namespace {

struct Sizes {
    std::int64_t n, area, c;
};

Sizes sizes_of(const Request& request, const Shape& image, const Shape& pooled) {
    request.expect(image.rank() == 4, "images must have 4 axes (N,H,W,C)");
    ops::expect_pooled(request, image, pooled);
    return {image[0], image[1] * image[2], image[3]};
}

void forward(Sizes s, const float* x, float* y, int threads) {
    for_range(threads, s.n, 4 * s.area * s.c, 1, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            const float factor = 1.0F / static_cast<float>(s.area);
            for (std::int64_t n = begin; n < end; ++n) {
                float* sum = y + n * s.c;
#pragma omp simd
                for (std::int64_t i = 0; i < s.c; ++i) sum[i] = 0.0F;
                for (std::int64_t p = 0; p < s.area; ++p) {
                    const float* pixel = x + (n * s.area + p) * s.c;
#pragma omp simd
                    for (std::int64_t i = 0; i < s.c; ++i) sum[i] += pixel[i];
                }
#pragma omp simd
                for (std::int64_t i = 0; i < s.c; ++i) sum[i] *= factor;
            }
        });
    });
}

void backward(Sizes s, const float* dy, float* dx, int threads) {
    for_range(threads, s.n, 4 * s.area * s.c, 1, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            const float factor = 1.0F / static_cast<float>(s.area);
            for (std::int64_t n = begin; n < end; ++n) {
                const float* gradient = dy + n * s.c;
                for (std::int64_t p = 0; p < s.area; ++p) {
                    float* pixel = dx + (n * s.area + p) * s.c;
#pragma omp simd
                    for (std::int64_t i = 0; i < s.c; ++i) pixel[i] = gradient[i] * factor;
                }
            }
        });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2D& op) {
    request.expect_counts(1, 1, 1, 1);
    if (has_16_bit(request)) return sliced_kernel(request, SliceUnit::sample, op);
    request.expect_float32();
    const Sizes sizes = sizes_of(request, request.inputs[0].shape, request.outputs[0].shape);
    return function_kernel(request.device, [sizes](const Operands& o, const ops::StepScalars&) {
        forward(sizes, o.in(0), o.out(0), o.threads);
    });
}

KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2DBackward& op) {
    request.expect_counts(1, 1, 1, 1);
    if (has_16_bit(request)) return sliced_kernel(request, SliceUnit::sample, op);
    request.expect_float32();
    const Sizes sizes = sizes_of(request, request.outputs[0].shape, request.inputs[0].shape);
    return function_kernel(request.device, [sizes](const Operands& o, const ops::StepScalars&) {
        backward(sizes, o.in(0), o.out(0), o.threads);
    });
}

}  // namespace strata::cpu
