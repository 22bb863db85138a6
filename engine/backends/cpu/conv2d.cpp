// 2-D convolution: checks, empty batches, and the choice of the implementation.
#include "engine/backends/cpu/conv2d.h"

#include <algorithm>

#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/sparse_conv2d.h"
#include "engine/backends/cpu/thin_conv2d.h"
#include "engine/ops/conv2d_operands.h"

namespace strata::cpu {
namespace {

bool is_empty(const WindowSizes& s) {
    return s.n == 0 || s.h == 0 || s.w == 0 || s.c == 0 || s.oh == 0 || s.ow == 0 || s.f == 0;
}

// Gradients and results over nothing are zeros.
KernelPtr zeros(const Request& request) {
    return function_kernel(request.device, [](const Operands& o, const ops::StepScalars&) {
        for (const Tensor& output : o.outputs)
            std::fill_n(output.as<std::byte>(), output.bytes(), std::byte{0});
    });
}

// What oneDNN has for bfloat16 on this machine, else the way through float32.
template <typename Op>
KernelPtr half_kernel(const Request& request, KernelPtr kernel, const Op& op) {
    return kernel != nullptr ? std::move(kernel) : widened_kernel(request, op);
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Conv2D& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    if (is_empty(s)) return zeros(request);
    if (has_16_bit(request)) return half_kernel(request, onednn_conv2d(request, s, op), op);
    return onednn_conv2d(request, s, op);
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardData& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    if (is_empty(s)) return zeros(request);
    KernelPtr dense = onednn_conv2d_backward_data(request, s, op.groups);
    if (has_16_bit(request)) return half_kernel(request, std::move(dense), op);
    if (op.groups > 1 || !suits_sparse_gradient(request, s)) return dense;
    return sparse_conv2d_backward_data(request, s, std::move(dense));
}

KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardWeights& op) {
    const WindowSizes s = ops::conv2d_sizes(request, op, window_sizes);
    if (is_empty(s)) return zeros(request);
    if (has_16_bit(request))
        return half_kernel(request, onednn_conv2d_backward_weights(request, s, op), op);
    if (op.groups == 1 && suits_thin_weights_gradient(request, s))
        return thin_conv2d_backward_weights(request, s);
    KernelPtr dense = onednn_conv2d_backward_weights(request, s, op);
    if (op.groups > 1 || !suits_sparse_gradient(request, s)) return dense;
    return sparse_conv2d_backward_weights(request, s, op.has_bias, std::move(dense));
}

}  // namespace strata::cpu
