// Matrix products for Dense, and column sums for its bias.
#include "engine/backends/cuda/product.h"
#include "kernels/reduce.h"

namespace strata::cuda {
namespace {

ProductShape shape_of(const Request& request, const ops::Matmul& op) {
    Matrix a = matrix_of(request.inputs[0].shape);
    Matrix b = matrix_of(request.inputs[1].shape);
    const Matrix c = matrix_of(request.outputs[0].shape);
    if (op.transpose_a) std::swap(a.rows, a.columns);
    if (op.transpose_b) std::swap(b.rows, b.columns);
    request.expect(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns,
                   "shapes " + request.inputs[0].shape.text() + " and " +
                       request.inputs[1].shape.text() + " do not give " +
                       request.outputs[0].shape.text());
    ProductShape shape;
    shape.m = a.rows;
    shape.n = b.columns;
    shape.k = a.columns;
    shape.transpose_a = op.transpose_a;
    shape.transpose_b = op.transpose_b;
    return shape;
}

// Sums over nothing are zeros, which bias and activation still change.
KernelPtr without_product(const Request& request, const ProductShape& shape, bool has_bias,
                          kernels::Activation f) {
    return function_kernel(request, [=](const Operands& o, const ops::StepScalars&) {
        const Tensor& c = o.outputs[0];
        if (c.bytes() == 0) return cudaSuccess;
        const cudaError_t error = cudaMemsetAsync(c.data, 0, c.bytes(), o.stream);
        if (error != cudaSuccess) return error;
        return kernels::bias_activation_forward(o.out(0), o.out(0), has_bias ? o.in(2) : nullptr,
                                                shape.m, shape.n, f, o.stream);
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Matmul& op) {
    const std::size_t inputs = op.has_bias ? 3 : 2;
    request.expect_counts(inputs, inputs, 1, 1);
    request.expect_float32();
    const kernels::Activation f = fused_activation(request, op.activation);
    const ProductShape shape = shape_of(request, op);
    request.expect(!op.has_bias || request.inputs[2].elements() == shape.n, "bias does not fit");
    if (shape.m == 0 || shape.n == 0 || shape.k == 0)
        return without_product(request, shape, op.has_bias, f);
    ActivatedProduct product(request, shape, op.has_bias, f);
    const std::size_t workspace = product.workspace_bytes();
    return function_kernel(
        request,
        [product = std::move(product), has_bias = op.has_bias](const Operands& o,
                                                               const ops::StepScalars&) mutable {
            return product.run(o.in(0), o.in(1), o.out(0), has_bias ? o.in(2) : nullptr,
                               o.workspace, o.stream);
        },
        workspace);
}

KernelPtr make_kernel(const Request& request, const ops::BiasGradient&) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    const Matrix m = matrix_of(request.inputs[0].shape);
    request.expect(request.outputs[0].elements() == m.columns, "db does not fit");
    return function_kernel(
        request,
        [m](const Operands& o, const ops::StepScalars&) {
            return kernels::column_sums(o.out(0), o.in(0), m.rows, m.columns, false, o.workspace,
                                        o.stream);
        },
        kernels::column_sums_workspace_bytes(m.rows, m.columns));
}

}  // namespace strata::cuda
