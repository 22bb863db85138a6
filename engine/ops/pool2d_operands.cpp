#include "engine/ops/pool2d_operands.h"

namespace strata::ops {

void expect_pool2d(const Request& request, const Pool2D& op) {
    request.expect_counts(1, 1, 1, op.kind == PoolKind::max ? 2 : 1);
    request.expect_types({&request.inputs[0], &request.outputs[0]});
}

void expect_pool2d(const Request& request, const Pool2DBackward& op) {
    const bool max = op.kind == PoolKind::max;
    request.expect(max || !op.relu_mask, "relu_mask needs max pooling");
    const std::size_t inputs = max ? (op.relu_mask ? 3 : 2) : 1;
    request.expect_counts(inputs, inputs, 1, 1);
    request.expect_types({&request.inputs[0], &request.outputs[0],
                          op.relu_mask ? &request.inputs[2] : &request.inputs[0]});
}

void expect_pool2d_fit(const Request& request, const Pool2D& op) {
    const Tensor& y = request.outputs[0];
    request.expect(request.inputs[0].shape[3] == y.shape[3], "x and y differ in channels");
    if (request.outputs.size() < 2) return;
    const Tensor& argmax = request.outputs[1];
    request.expect(argmax.dtype == DType::uint8 && argmax.elements() == y.elements(),
                   "argmax must be uint8 of y's shape");
    request.expect(op.window.kernel_h * op.window.kernel_w <= most_argmax_cells,
                   "a window of more than 255 cells in training");
}

void expect_pool2d_fit(const Request& request, const Pool2DBackward& op) {
    const Tensor& dy = request.inputs[0];
    request.expect(request.outputs[0].shape[3] == dy.shape[3], "dx and dy differ in channels");
    for (const Tensor& input : request.inputs)
        request.expect(input.elements() == dy.elements(), "dy, argmax and y differ in size");
    request.expect(op.kind != PoolKind::max || request.inputs[1].dtype == DType::uint8,
                   "argmax must be uint8");
}

void expect_pooled(const Request& request, const Shape& image, const Shape& pooled) {
    request.expect(pooled.elements() == image[0] * image[3], "the pooled tensor must be (N,C)");
}

}  // namespace strata::ops
