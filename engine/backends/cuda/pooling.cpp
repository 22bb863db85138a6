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
    ops::expect_pool2d_fit(request, op);
    return with_storage(request.inputs[0].dtype, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [s, max](const Operands& o, const ops::StepScalars&) {
            T* y = o.out<T>(0);
            const T* x = o.in<T>(0);
            if (!max) return kernels::average_pool_forward(y, x, s.image, s.window, o.stream);
            std::uint8_t* argmax = o.outputs.size() > 1 ? o.out<std::uint8_t>(1) : nullptr;
            return kernels::max_pool_forward(y, argmax, x, s.image, s.window, o.stream);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::Pool2DBackward& op) {
    const bool max = op.kind == ops::PoolKind::max;
    ops::expect_pool2d(request, op);
    const WindowSizes s =
        window_sizes(request, request.outputs[0].shape, request.inputs[0].shape, op.window);
    ops::expect_pool2d_fit(request, op);
    return with_storage(request.inputs[0].dtype, [&]<typename T>(Stored<T>) {
        return function_kernel(
            request, [s, max, mask = op.relu_mask](const Operands& o, const ops::StepScalars&) {
                T* dx = o.out<T>(0);
                const T* dy = o.in<T>(0);
                if (!max)
                    return kernels::average_pool_backward(dx, dy, s.image, s.window, o.stream);
                return kernels::max_pool_backward(dx, dy, o.in<std::uint8_t>(1),
                                                  mask ? o.in<T>(2) : nullptr, s.image, s.window,
                                                  o.stream);
            });
    });
}

KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2D&) {
    request.expect_counts(1, 1, 1, 1);
    const DType type = request.expect_one_type();
    const kernels::ImageShape image = image_shape(request, request.inputs[0].shape);
    ops::expect_pooled(request, request.inputs[0].shape, request.outputs[0].shape);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [image](const Operands& o, const ops::StepScalars&) {
            return kernels::global_average_pool_forward(o.out<T>(0), o.in<T>(0), image, o.stream);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2DBackward&) {
    request.expect_counts(1, 1, 1, 1);
    const DType type = request.expect_one_type();
    const kernels::ImageShape image = image_shape(request, request.outputs[0].shape);
    ops::expect_pooled(request, request.outputs[0].shape, request.inputs[0].shape);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [image](const Operands& o, const ops::StepScalars&) {
            return kernels::global_average_pool_backward(o.out<T>(0), o.in<T>(0), image, o.stream);
        });
    });
}

}  // namespace strata::cuda
