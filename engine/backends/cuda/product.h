// A row-major matrix product on cuBLASLt, its algorithm chosen when it is made, once for all of one
// shape. Used by matmul and conv2d.
#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

#include "engine/backends/cuda/kernel.h"

namespace strata::cuda {

// C (m,n) = op(A) op(B), `batches` times. A leading dimension of 0 means dense rows.
struct ProductShape {
    std::int64_t m = 0, n = 0, k = 0;
    bool transpose_a = false, transpose_b = false;
    std::int64_t lda = 0, ldb = 0, ldc = 0;
    int batches = 1;
    std::int64_t stride_a = 0, stride_b = 0, stride_c = 0;  // elements from batch to batch
};

// Of A and B, and of C; sums are float32.
struct ProductTypes {
    DType operands = DType::float32, result = DType::float32;
};

enum class Epilogue : std::uint8_t { none, relu, bias, relu_bias };

class Product {
public:
    // m, n and k at least 1. Throws Error{unsupported} where the library has no algorithm.
    Product(const Request& request, const ProductShape& shape, ProductTypes types,
            Epilogue epilogue = Epilogue::none);

    std::size_t workspace_bytes() const;
    // Queues the product. bias: (n) of the result's type, where the epilogue has one. accumulate: C
    // is added to. Throws Error{internal} on a device fault only.
    void run(const void* a, const void* b, void* c, void* workspace, const void* bias = nullptr,
             bool accumulate = false);

private:
    template <auto Destroy>
    struct Destroyer {
        template <typename T>
        void operator()(T* object) const {
            Destroy(object);
        }
    };
    template <typename Handle, auto Destroy>
    using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroyer<Destroy>>;
    using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;

    Layout make_layout(DType type, std::int64_t rows, std::int64_t cols, std::int64_t leading,
                       std::int64_t stride) const;
    // For matrices on so many bytes.
    std::optional<cublasLtMatmulHeuristicResult_t> choose(std::size_t operands,
                                                          std::size_t result) const;

    const CudaDevice& device_;
    int batches_;
    Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy> desc_;
    Layout a_, b_, c_;
    // For matrices on 16 bytes, and for any; one of them there is.
    std::optional<cublasLtMatmulHeuristicResult_t> wide_, any_;
    const void* bias_ = nullptr;
};

// y = f(c + bias), bias may be null and is of c's type or float32; c (m,n) of a compute type, in
// place.
cudaError_t add_bias_and_activate(void* c, DType type, const void* bias, DType bias_type,
                                  std::int64_t m, std::int64_t n, kernels::Activation activation,
                                  cudaStream_t stream);

// C = f(op(A) op(B) + bias), bias may be absent: bias and relu inside the product where the library
// can, the rest by one kernel behind it.
class ActivatedProduct {
public:
    // bias: its type.
    ActivatedProduct(const Request& request, const ProductShape& shape, ProductTypes types,
                     std::optional<DType> bias, kernels::Activation activation);

    std::size_t workspace_bytes() const { return cast_bytes_ + product_->workspace_bytes(); }
    cudaError_t run(const void* a, const void* b, void* c, const void* bias, void* workspace,
                    cudaStream_t stream);

private:
    void plan_bias(std::optional<DType> bias);

    std::unique_ptr<Product> product_;
    std::int64_t m_, n_;
    DType type_;
    DType given_bias_ = DType::float32, bias_ = DType::float32;  // as it comes, and as it is read
    std::size_t cast_bytes_ = 0;                                 // for that
    bool bias_inside_ = false;
    bool kernel_behind_ = false;
    kernels::Activation activation_;
};

}  // namespace strata::cuda
