#include "engine/ops/elementwise_operands.h"

namespace strata::ops {

void expect_block(const Request& request, const CopyBlock& op) {
    request.expect_counts(1, 1, 1, 1);
    const Tensor& x = request.inputs[0];
    const Tensor& y = request.outputs[0];
    request.expect(x.dtype == y.dtype, "x and y differ in dtype");
    const auto within = [&](std::int64_t stride, std::int64_t offset, const Tensor& tensor) {
        return is_empty(op) || (op.rows > 0 && op.width > 0 && stride >= 0 && offset >= 0 &&
                                (op.rows - 1) * stride + offset + op.width <= tensor.elements());
    };
    request.expect(within(op.x_stride, op.x_offset, x) && within(op.y_stride, op.y_offset, y),
                   "the block leaves the tensor");
}

std::int64_t dropout_sample(const Request& request, const Dropout& op) {
    request.expect(op.rate >= 0.0F && op.rate < 1.0F, "rate must be at least 0 and below 1");
    const Shape& shape = request.inputs[0].shape;
    request.expect(shape.rank() > 0, "x needs a batch axis");
    return shape[0] == 0 ? 0 : shape.elements() / shape[0];
}

}  // namespace strata::ops
