#include "engine/ops/matmul_operands.h"

#include <utility>

#include "engine/ops/activation_operands.h"

namespace strata::ops {

MatmulSizes matmul_sizes(const Request& request, const Matmul& op) {
    const std::size_t inputs = op.has_bias ? 3 : 2;
    request.expect_counts(inputs, inputs, 1, 1);
    const DType type =
        request.expect_types({&request.inputs[0], &request.inputs[1]},
                             {op.has_bias ? &request.inputs[2] : nullptr, &request.outputs[0]});
    expect_fusable(request, op.activation);
    Matrix a = matrix_of(request.inputs[0].shape);
    Matrix b = matrix_of(request.inputs[1].shape);
    const Matrix c = matrix_of(request.outputs[0].shape);
    if (op.transpose_a) std::swap(a.rows, a.columns);
    if (op.transpose_b) std::swap(b.rows, b.columns);
    request.expect(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns,
                   "shapes " + request.inputs[0].shape.text() + " and " +
                       request.inputs[1].shape.text() + " do not give " +
                       request.outputs[0].shape.text());
    request.expect(!op.has_bias || request.inputs[2].elements() == b.columns, "bias does not fit");
    return {a.rows, b.columns, a.columns, type};
}

Matrix bias_gradient_sizes(const Request& request) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_types({&request.inputs[0]}, {&request.outputs[0]});
    const Matrix dy = matrix_of(request.inputs[0].shape);
    request.expect(request.outputs[0].elements() == dy.columns, "db does not fit");
    return dy;
}

}  // namespace strata::ops
