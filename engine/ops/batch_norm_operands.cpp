#include "engine/ops/batch_norm_operands.h"

namespace strata::ops {

Matrix batch_norm_sizes(const Request& request, std::size_t first_input) {
    request.expect_float32();
    const Matrix sizes = matrix_of(request.inputs[0].shape);
    for (const Tensor& input : request.inputs.subspan(first_input))
        request.expect(input.elements() == sizes.columns, "an operand does not have C elements");
    for (const Tensor& output : request.outputs.subspan(1))
        request.expect(output.elements() == sizes.columns, "a result does not have C elements");
    return sizes;
}

}  // namespace strata::ops
