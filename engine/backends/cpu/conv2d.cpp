// 2-D convolution: checks, empty batches, and the choice of the implementation.
#include "engine/backends/cpu/conv2d.h"

#include <algorithm>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/sparse_conv2d.h"
#include "engine/backends/cpu/thin_conv2d.h"

namespace strata::cpu {
namespace {

void expect_kernel(const Request& request, const WindowSizes& s, const Shape& kernel, int groups) {
    request.expect(groups > 0 && s.c % groups == 0 && s.f % groups == 0,
                   "groups must divide the channels and the filters");
    request.expect(kernel == Shape({s.window.kernel_h, s.window.kernel_w, s.c / groups, s.f}),
                   "kernel " + kernel.text() + " does not fit");
}

bool is_empty(const WindowSizes& s) {
    return s.n == 0 || s.h == 0 || s.w == 0 || s.c == 0 || s.oh == 0 || s.ow == 0 || s.f == 0;
}

// Gradients and results over nothing are zeros.
KernelPtr zeros(const Request& request) {
    return function_kernel(request.device, [](const Operands& o, const ops::StepScalars&) {
        for (const Tensor& output : o.outputs)
            std::fill_n(output.as<float>(), output.elements(), 0.0F);
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Conv2D& op) {
    const std::size_t inputs = op.has_bias ? 3 : 2;
    request.expect_counts(inputs, inputs, 1, 1);
    request.expect_float32();
    expect_fusable(request, op.activation);
    const WindowSizes s =
        window_sizes(request, request.inputs[0].shape, request.outputs[0].shape, op.window);
    expect_kernel(request, s, request.inputs[1].shape, op.groups);
    request.expect(!op.has_bias || request.inputs[2].elements() == s.f, "bias does not fit");
    if (is_empty(s)) return zeros(request);
    return onednn_conv2d(request, s, op);
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardData& op) {
    request.expect_counts(2, 2, 1, 1);
    request.expect_float32();
    const WindowSizes s =
        window_sizes(request, request.outputs[0].shape, request.inputs[0].shape, op.window);
    expect_kernel(request, s, request.inputs[1].shape, op.groups);
    if (is_empty(s)) return zeros(request);
    KernelPtr dense = onednn_conv2d_backward_data(request, s, op.groups);
    if (op.groups > 1 || !suits_sparse_gradient(request, s)) return dense;
    return sparse_conv2d_backward_data(request, s, std::move(dense));
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardWeights& op) {
    const std::size_t outputs = op.has_bias ? 2 : 1;
    request.expect_counts(2, 2, outputs, outputs);
    request.expect_float32();
    const WindowSizes s =
        window_sizes(request, request.inputs[0].shape, request.inputs[1].shape, op.window);
    expect_kernel(request, s, request.outputs[0].shape, op.groups);
    request.expect(!op.has_bias || request.outputs[1].elements() == s.f, "bias does not fit");
    if (is_empty(s)) return zeros(request);
    if (op.groups == 1 && suits_thin_weights_gradient(request, s))
        return thin_conv2d_backward_weights(request, s);
    KernelPtr dense = onednn_conv2d_backward_weights(request, s, op);
    if (op.groups > 1 || !suits_sparse_gradient(request, s)) return dense;
    return sparse_conv2d_backward_weights(request, s, op.has_bias, std::move(dense));
}

}  // namespace strata::cpu
