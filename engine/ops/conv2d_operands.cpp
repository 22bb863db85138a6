#include "engine/ops/conv2d_operands.h"

#include "engine/ops/activation_operands.h"

namespace strata::ops {

void Conv2DOperands::expect_fit(const Request& request, const Window2D& window, int groups) const {
    const std::int64_t channels = image[3];
    const std::int64_t filters = result[3];
    request.expect(groups > 0 && channels % groups == 0 && filters % groups == 0,
                   "groups must divide the channels and the filters");
    request.expect(
        kernel.shape == Shape({window.kernel_h, window.kernel_w, channels / groups, filters}),
        "kernel " + kernel.shape.text() + " does not fit");
    request.expect(bias == nullptr || bias->elements() == filters, "bias does not fit");
}

Conv2DOperands conv2d_operands(const Request& request, const Conv2D& op) {
    const std::size_t inputs = op.has_bias ? 3 : 2;
    request.expect_counts(inputs, inputs, 1, 1);
    request.expect_types({&request.inputs[0], &request.inputs[1]},
                         {op.has_bias ? &request.inputs[2] : nullptr, &request.outputs[0]});
    expect_fusable(request, op.activation);
    return {request.inputs[0].shape, request.outputs[0].shape, request.inputs[1],
            op.has_bias ? &request.inputs[2] : nullptr};
}

Conv2DOperands conv2d_operands(const Request& request, const Conv2DBackwardData&) {
    request.expect_counts(2, 2, 1, 1);
    request.expect_types({&request.inputs[0], &request.inputs[1]}, {&request.outputs[0]});
    return {request.outputs[0].shape, request.inputs[0].shape, request.inputs[1], nullptr};
}

Conv2DOperands conv2d_operands(const Request& request, const Conv2DBackwardWeights& op) {
    const std::size_t outputs = op.has_bias ? 2 : 1;
    request.expect_counts(2, 2, outputs, outputs);
    request.expect_types({&request.inputs[0], &request.inputs[1]},
                         {&request.outputs[0], op.has_bias ? &request.outputs[1] : nullptr});
    return {request.inputs[0].shape, request.inputs[1].shape, request.outputs[0],
            op.has_bias ? &request.outputs[1] : nullptr};
}

}  // namespace strata::ops
