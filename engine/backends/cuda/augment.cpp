// Random image transforms.
#include "kernels/augment.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/augment_operands.h"

namespace strata::cuda {
namespace {

kernels::AugmentKind kind_of(ops::AugmentKind kind) {
    switch (kind) {
        case ops::AugmentKind::flip:
            return kernels::AugmentKind::flip;
        case ops::AugmentKind::translation:
            return kernels::AugmentKind::translation;
        case ops::AugmentKind::rotation:
            return kernels::AugmentKind::rotation;
        case ops::AugmentKind::zoom:
            return kernels::AugmentKind::zoom;
        case ops::AugmentKind::contrast:
            return kernels::AugmentKind::contrast;
    }
    return kernels::AugmentKind::flip;
}

kernels::FillMode mode_of(ops::FillMode mode) {
    switch (mode) {
        case ops::FillMode::constant:
            return kernels::FillMode::constant;
        case ops::FillMode::nearest:
            return kernels::FillMode::nearest;
        case ops::FillMode::reflect:
            return kernels::FillMode::reflect;
        case ops::FillMode::wrap:
            return kernels::FillMode::wrap;
    }
    return kernels::FillMode::constant;
}

kernels::Augment parameters_of(const ops::AugmentImages& op) {
    kernels::Augment p;
    p.kind = kind_of(op.kind);
    p.horizontal = op.horizontal;
    p.vertical = op.vertical;
    p.one_zoom = op.one_zoom;
    p.bilinear = op.bilinear;
    p.fill_mode = mode_of(op.fill_mode);
    p.first_lower = op.first.lower;
    p.first_upper = op.first.upper;
    p.second_lower = op.second.lower;
    p.second_upper = op.second.upper;
    p.fill_value = op.fill_value;
    p.value_lower = op.values.lower;
    p.value_upper = op.values.upper;
    p.stream = op.stream;
    return p;
}

kernels::Augment with_step(kernels::Augment p, const Operands& o) {
    p.values = o.step;
    return p;
}

kernels::ImageBatch batch_of(const Request& request, const ops::ImageSize& size) {
    request.expect(size.height * size.width <= INT32_MAX / 2, "the images are too large");
    return {request.inputs[0].shape[0], static_cast<int>(size.height), static_cast<int>(size.width),
            static_cast<int>(size.channels)};
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::AugmentImages& op) {
    const kernels::ImageBatch shape = batch_of(request, ops::expect_images(request, op));
    const kernels::Augment fixed = parameters_of(op);
    return function_kernel(
        request,
        [fixed, shape](const Operands& o, const ops::StepScalars&) {
            return kernels::augment(o.out(0), o.in(0), shape, with_step(fixed, o), o.workspace,
                                    o.stream);
        },
        kernels::augment_scratch_bytes(fixed, shape));
}

KernelPtr make_kernel(const Request& request, const ops::AugmentImagesBackward& op) {
    const kernels::ImageBatch shape = batch_of(request, ops::expect_images(request, op));
    const kernels::Augment fixed = parameters_of(op.forward);
    return function_kernel(
        request,
        [fixed, shape](const Operands& o, const ops::StepScalars&) {
            return kernels::augment_backward(o.out(0), o.in(0),
                                             o.inputs.size() > 1 ? o.in(1) : nullptr, shape,
                                             with_step(fixed, o), o.workspace, o.stream);
        },
        kernels::augment_scratch_bytes(fixed, shape));
}

}  // namespace strata::cuda
