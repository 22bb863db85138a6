// 2-D convolution. Which way: as a product where the window is a single cell, by cuDNN where it is
// installed, by our tiled kernels (kernels/conv2d.h) elsewhere, and by a matrix of gathered windows
// where those do not reach.
#include "kernels/conv2d.h"

#include "engine/backends/cuda/conv2d_cudnn.h"
#include "engine/backends/cuda/conv2d_gathered.h"
#include "engine/ops/conv2d_operands.h"
#include "kernels/conv_gather.h"

namespace strata::cuda {
namespace {

kernels::ConvShape conv_shape(const WindowSizes& s, int groups) {
    return {s.image, s.window, s.filters, groups};
}

bool is_product(const WindowSizes& s, int groups) {
    return kernels::conv_columns_are_images(s.window, groups);
}

bool has_tensor_cores(const Request& request, DType type) {
    if (type == DType::float32 && !request.device.allows_tf32()) return false;
    int major = 0;
    int minor = 0;
    const int index = request.device.index();
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index),
          "Asking for the compute capability", request.device.info().id);
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index),
          "Asking for the compute capability", request.device.info().id);
    return 10 * major + minor >= kernels::conv_tensor_capability(type == DType::float16);
}

// A gathered matrix moves many times the bytes, but in float32 without tensor cores the library's
// product is so much nearer to the hardware's rate that this pays for wide and deep kernels.
bool is_gathered(const kernels::ConvShape& s, DType type, bool tensor_cores) {
    constexpr std::int64_t wide = 256;
    if (kernels::conv_columns_are_images(s.window, s.groups) || !kernels::conv_takes(s))
        return true;
    const std::int64_t depth = std::int64_t{s.taps()} * s.group_channels();
    return type == DType::float32 && !tensor_cores && s.group_filters() >= wide && depth >= wide;
}

// One of the ways beside our tiled kernels; null where those are to be taken.
template <typename Op>
KernelPtr without_tiles(const Request& request, const Op& op, const WindowSizes& s,
                        bool tensor_cores) {
    if (s.is_empty()) return zeros(request);
    if (!is_product(s, op.groups))
        if (KernelPtr made = cudnn_convolution(request, op, s)) return made;
    const DType type = request.inputs[0].dtype;
    if (!is_gathered(conv_shape(s, op.groups), type, tensor_cores)) return nullptr;
    return gathered_convolution(request, op, s);
}

kernels::ConvTarget target(const Tensor& tensor) {
    return {tensor.data, tensor.dtype == DType::float32};
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Conv2D& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    const DType type = request.inputs[0].dtype;
    const bool tensor_cores = has_tensor_cores(request, type);
    if (KernelPtr made = without_tiles(request, op, s, tensor_cores)) return made;
    const kernels::ConvShape shape = conv_shape(s, op.groups);
    const kernels::Activation f = element_activation(op.activation);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [shape, tensor_cores, f, has_bias = op.has_bias](
                                            const Operands& o, const ops::StepScalars&) {
            kernels::ConvBias bias;
            if (has_bias) bias = {o.inputs[2].data, o.inputs[2].dtype == DType::float32};
            return kernels::conv_forward(target(o.outputs[0]), o.in<T>(0), o.in<T>(1), bias, shape,
                                         f, tensor_cores, o.stream);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardData& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    const DType type = request.inputs[0].dtype;
    const bool tensor_cores = has_tensor_cores(request, type);
    if (KernelPtr made = without_tiles(request, op, s, tensor_cores)) return made;
    const kernels::ConvShape shape = conv_shape(s, op.groups);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(
            request, [shape, tensor_cores](const Operands& o, const ops::StepScalars&) {
                return kernels::conv_backward_data(target(o.outputs[0]), o.in<T>(0), o.in<T>(1),
                                                   shape, tensor_cores, o.stream);
            });
    });
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardWeights& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    const DType type = request.inputs[0].dtype;
    const bool tensor_cores = has_tensor_cores(request, type);
    if (KernelPtr made = without_tiles(request, op, s, tensor_cores)) return made;
    const kernels::ConvShape shape = conv_shape(s, op.groups);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(
            request,
            [shape, tensor_cores, has_bias = op.has_bias](const Operands& o,
                                                          const ops::StepScalars&) {
                return kernels::conv_backward_weights(
                    target(o.outputs[0]), has_bias ? target(o.outputs[1]) : kernels::ConvTarget{},
                    o.in<T>(0), o.in<T>(1), shape, tensor_cores, o.workspace, o.stream);
            },
            kernels::conv_backward_weights_workspace_bytes(shape));
    });
}

}  // namespace strata::cuda
