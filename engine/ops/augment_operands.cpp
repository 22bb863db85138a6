#include "engine/ops/augment_operands.h"

#include <cmath>

namespace strata::ops {
namespace {

ImageSize expect_batch(const Request& request, const AugmentImages& op, std::size_t inputs) {
    request.expect_counts(inputs, inputs, 1, 1);
    request.expect_float32();
    const Shape& shape = request.inputs[0].shape;
    request.expect(shape.rank() == 4, "x must be images (batch, height, width, channels)");
    for (const Tensor& tensor : request.inputs)
        request.expect(tensor.shape == shape, "the operands differ in shape");
    request.expect(request.outputs[0].shape == shape, "the operands differ in shape");
    for (const Range& range : {op.first, op.second})
        request.expect(std::isfinite(range.lower) && std::isfinite(range.upper),
                       "a bound is not finite");
    request.expect(op.values.lower <= op.values.upper, "the range of values is empty");
    return {shape[1], shape[2], shape[3]};
}

}  // namespace

ImageSize expect_images(const Request& request, const AugmentImages& op) {
    return expect_batch(request, op, 1);
}

ImageSize expect_images(const Request& request, const AugmentImagesBackward& op) {
    return expect_batch(request, op.forward, op.forward.kind == AugmentKind::contrast ? 2 : 1);
}

}  // namespace strata::ops
