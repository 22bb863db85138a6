// Max, average and global average pooling.
#include "kernels/pooling.h"

#include "engine/backends/cuda/window.h"

namespace strata::cuda {

KernelPtr make_kernel(const Request& request, const ops::Pool2D& op) {
    const bool max = op.kind == ops::PoolKind::max;
    request.expect_counts(1, 1, 1, max ? 2 : 1);
    const WindowSizes s =
        window_sizes(request, request.inputs[0].shape, request.outputs[0].shape, op.window);
    request.expect(
        request.inputs[0].dtype == DType::float32 && request.outputs[0].dtype == DType::float32,
        "x and y must be float32");
    request.expect(s.image.channels == s.filters, "x and y differ in channels");
    if (request.outputs.size() > 1) {
        request.expect(request.outputs[1].dtype == DType::uint8 &&
                           request.outputs[1].elements() == request.outputs[0].elements(),
                       "argmax must be uint8 of y's shape");
        request.expect(op.window.kernel_h * op.window.kernel_w <= 255,
                       "a window of more than 255 cells in training");
    }
    return function_kernel(request, [s, max](const Operands& o, const ops::StepScalars&) {
        if (!max)
            return kernels::average_pool_forward(o.out(0), o.in(0), s.image, s.window, o.stream);
        std::uint8_t* argmax = o.outputs.size() > 1 ? o.out<std::uint8_t>(1) : nullptr;
        return kernels::max_pool_forward(o.out(0), argmax, o.in(0), s.image, s.window, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::Pool2DBackward& op) {
    const bool max = op.kind == ops::PoolKind::max;
    request.expect(max || !op.relu_mask, "relu_mask needs max pooling");
    const std::size_t inputs = max ? (op.relu_mask ? 3 : 2) : 1;
    request.expect_counts(inputs, inputs, 1, 1);
    const WindowSizes s =
        window_sizes(request, request.outputs[0].shape, request.inputs[0].shape, op.window);
    request.expect(s.image.channels == s.filters, "dx and dy differ in channels");
    for (const Tensor& input : request.inputs)
        request.expect(input.elements() == request.inputs[0].elements(),
                       "dy, argmax and y differ in size");
    request.expect(!max || request.inputs[1].dtype == DType::uint8, "argmax must be uint8");
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
    request.expect(request.outputs[0].elements() == std::int64_t{image.batch} * image.channels,
                   "the pooled tensor must be (N,C)");
    return function_kernel(request, [image](const Operands& o, const ops::StepScalars&) {
        return kernels::global_average_pool_forward(o.out(0), o.in(0), image, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2DBackward&) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    const kernels::ImageShape image = image_shape(request, request.outputs[0].shape);
    request.expect(request.inputs[0].elements() == std::int64_t{image.batch} * image.channels,
                   "the pooled tensor must be (N,C)");
    return function_kernel(request, [image](const Operands& o, const ops::StepScalars&) {
        return kernels::global_average_pool_backward(o.out(0), o.in(0), image, o.stream);
    });
}

}  // namespace strata::cuda
