// Max, average and global average pooling.
#include "kernels/pooling.h"

#include "engine/backends/cuda/window.h"
#include "engine/ops/pool2d_operands.h"

namespace strata::cuda {

KernelPtr make_kernel(const Request& request, const ops::Pool2D& op) {
    const bool max = op.kind == ops::PoolKind::max;
    ops::expect_pool2d(request, op);
    const WindowSizes s =
        window_sizes(request, request.inputs[0].shape, request.outputs[0].shape, op.window);
    request.expect(
        request.inputs[0].dtype == DType::float32 && request.outputs[0].dtype == DType::float32,
        "x and y must be float32");
    ops::expect_pool2d_fit(request, op);
    return function_kernel(request, [s, max](const Operands& o, const ops::StepScalars&) {
        if (!max)
            return kernels::average_pool_forward(o.out(0), o.in(0), s.image, s.window, o.stream);
        std::uint8_t* argmax = o.outputs.size() > 1 ? o.out<std::uint8_t>(1) : nullptr;
        return kernels::max_pool_forward(o.out(0), argmax, o.in(0), s.image, s.window, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::Pool2DBackward& op) {
    const bool max = op.kind == ops::PoolKind::max;
    ops::expect_pool2d(request, op);
    const WindowSizes s =
        window_sizes(request, request.outputs[0].shape, request.inputs[0].shape, op.window);
    request.expect(request.inputs[0].dtype == DType::float32, "dy and dx must be float32");
    ops::expect_pool2d_fit(request, op);
    return function_kernel(request, [s, max, mask = op.relu_mask](const Operands& o,
                                                                  const ops::StepScalars&) {
        if (!max)
            return kernels::average_pool_backward(o.out(0), o.in(0), s.image, s.window, o.stream);
        return kernels::max_pool_backward(o.out(0), o.in(0), o.in<std::uint8_t>(1),
                                          mask ? o.in(2) : nullptr, s.image, s.window, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2D&) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    const kernels::ImageShape image = image_shape(request, request.inputs[0].shape);
    ops::expect_pooled(request, request.inputs[0].shape, request.outputs[0].shape);
    return function_kernel(request, [image](const Operands& o, const ops::StepScalars&) {
        return kernels::global_average_pool_forward(o.out(0), o.in(0), image, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2DBackward&) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    const kernels::ImageShape image = image_shape(request, request.outputs[0].shape);
    ops::expect_pooled(request, request.outputs[0].shape, request.inputs[0].shape);
    return function_kernel(request, [image](const Operands& o, const ops::StepScalars&) {
        return kernels::global_average_pool_backward(o.out(0), o.in(0), image, o.stream);
    });
}

}  // namespace strata::cuda
