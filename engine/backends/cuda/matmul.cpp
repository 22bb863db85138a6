// Matrix products for Dense, and column sums for its bias.
#include "engine/backends/cuda/cast.h"
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
    const std::size_t bytes =
        has_bias ? static_cast<std::size_t>(shape.n) * sizeof(float) : std::size_t{0};
    return function_kernel(
        request,
        [=](const Operands& o, const ops::StepScalars&) {
            const Tensor& c = o.outputs[0];
            if (c.bytes() == 0) return cudaSuccess;
            cudaError_t error = cudaMemsetAsync(c.data, 0, c.bytes(), o.stream);
            if (error == cudaSuccess && has_bias)
                error = cast(o.workspace, DType::float32, o.inputs[2].data, o.inputs[2].dtype,
                             shape.n, o.stream);
            if (error != cudaSuccess) return error;
            return add_bias_and_activate(c.data, c.dtype, has_bias ? o.workspace : nullptr,
                                         DType::float32, shape.m, shape.n, f, o.stream);
        },
        bytes);
}

}  // namespace

cudaError_t column_sums(const Tensor& sums, const Tensor& x, Matrix shape, const Operands& o) {
    return with_storage(x.dtype, [&]<typename T>(Stored<T>) {
        if (sums.dtype == DType::float32)
            return kernels::column_sums(sums.as<float>(), x.as<const T>(), shape.rows,
                                        shape.columns, o.workspace, o.stream);
        return kernels::column_sums(sums.as<T>(), x.as<const T>(), shape.rows, shape.columns,
                                    o.workspace, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::Matmul& op) {
    const ops::MatmulSizes sizes = ops::matmul_sizes(request, op);
    const ProductShape shape = shape_of(sizes, op);
    const kernels::Activation f = element_activation(op.activation);
    if (shape.m == 0 || shape.n == 0 || shape.k == 0)
        return without_product(request, shape, op.has_bias, f);
    const auto bias = op.has_bias ? std::optional(request.inputs[2].dtype) : std::nullopt;
    ActivatedProduct product(request, shape, {sizes.type, request.outputs[0].dtype}, bias, f);
    const std::size_t workspace = product.workspace_bytes();
    return function_kernel(
        request,
        [product = std::move(product), has_bias = op.has_bias](const Operands& o,
                                                               const ops::StepScalars&) mutable {
            return product.run(o.inputs[0].data, o.inputs[1].data, o.outputs[0].data,
                               has_bias ? o.inputs[2].data : nullptr, o.workspace, o.stream);
        },
        workspace);
}

// The product for the weights' gradient could sum its dy up on the way (CUBLASLT_EPILOGUE_BGRADA,
// for the library's operands are ours in the other order) and spare this reading of it. The plan
// has the two as ops of their own: they would have to be one first, with two results, on every
// backend.
KernelPtr make_kernel(const Request& request, const ops::BiasGradient&) {
    const Matrix m = ops::bias_gradient_sizes(request);
    return function_kernel(
        request,
        [m](const Operands& o, const ops::StepScalars&) {
            return column_sums(o.outputs[0], o.inputs[0], m, o);
        },
        kernels::column_sums_workspace_bytes(m.rows, m.columns));
}

}  // namespace strata::cuda
