// Random image transforms: each image by the formula of ops/augment, several at a time.
#include "engine/ops/augment_operands.h"

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"

namespace strata::cpu {
namespace {

// body(image, what was drawn for it)
template <typename Body>
void for_images(const Operands& operands, const ops::StepScalars& scalars,
                const ops::AugmentImages& op, const ops::ImageSize& size, const Body& body) {
    constexpr std::int64_t cost = 64;  // of an element, bilinear
    const std::int64_t images = operands.inputs[0].shape[0];
    for_range(
        operands.threads, images, cost * size.elements(), 1,
        [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                body(i, ops::draw_transform(op, size, scalars.seed, scalars.step,
                                            static_cast<std::uint64_t>(scalars.first_sample +
                                                                       i * scalars.sample_stride)));
        });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::AugmentImages& op) {
    const ops::ImageSize size = ops::expect_images(request, op);
    return function_kernel(request.device, [op, size](const Operands& o,
                                                      const ops::StepScalars& scalars) {
        const std::int64_t step = size.elements();
        for_images(o, scalars, op, size, [&](std::int64_t i, const ops::ImageTransform& transform) {
            ops::transform_image(op, transform, size, o.in(0) + i * step, o.out(0) + i * step);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::AugmentImagesBackward& op) {
    const ops::ImageSize size = ops::expect_images(request, op);
    return function_kernel(request.device, [forward = op.forward, size](
                                               const Operands& o, const ops::StepScalars& scalars) {
        const std::int64_t step = size.elements();
        const bool reads_x = o.inputs.size() > 1;
        for_images(o, scalars, forward, size,
                   [&](std::int64_t i, const ops::ImageTransform& transform) {
                       ops::transform_image_backward(forward, transform, size, o.in(0) + i * step,
                                                     reads_x ? o.in(1) + i * step : nullptr,
                                                     o.out(0) + i * step);
                   });
    });
}

}  // namespace strata::cpu
