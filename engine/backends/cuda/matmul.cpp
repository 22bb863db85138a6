// Matrix products for Dense, and column sums for its bias.
#include "engine/backends/cuda/product.h"
#include "engine/ops/matmul_operands.h"
#include "kernels/reduce.h"

namespace strata::cuda {
namespace {

ProductShape shape_of(const ops::MatmulSizes& sizes, const ops::Matmul& op) {
    ProductShape shape;
    shape.m = sizes.m;
    shape.n = sizes.n;
    shape.k = sizes.k;
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
    const ProductShape shape = shape_of(ops::matmul_sizes(request, op), op);
    request.expect_float32();
    const kernels::Activation f = element_activation(op.activation);
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
    const Matrix m = ops::bias_gradient_sizes(request);
    request.expect_float32();
    return function_kernel(
        request,
        [m](const Operands& o, const ops::StepScalars&) {
            return kernels::column_sums(o.out(0), o.in(0), m.rows, m.columns, false, o.workspace,
                                        o.stream);
        },
        kernels::column_sums_workspace_bytes(m.rows, m.columns));
}

}  // namespace strata::cuda
