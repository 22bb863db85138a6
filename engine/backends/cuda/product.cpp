#include "engine/backends/cuda/product.h"

#include <algorithm>

#include "engine/core/error.h"

namespace strata::cuda {
namespace {

// What the library may use beside its operands: enough for its split-k algorithms.
constexpr std::uint64_t most_workspace = std::uint64_t{32} << 20;
constexpr std::uint32_t wide_alignment = 16;
constexpr std::uint32_t float_alignment = sizeof(float);

void check_status(cublasStatus_t status, const std::string& device) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    throw Error(ErrorCode::internal,
                std::string("A matrix product failed: ") + cublasLtGetStatusString(status), device,
                "Start the run again; if it fails again, use cpu:0 and report it");
}

template <typename Value>
void set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, const Value& value,
         const std::string& device) {
    check_status(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof(value)), device);
}

cublasLtEpilogue_t library_epilogue(Epilogue epilogue) {
    switch (epilogue) {
        case Epilogue::relu:
            return CUBLASLT_EPILOGUE_RELU;
        case Epilogue::bias:
            return CUBLASLT_EPILOGUE_BIAS;
        case Epilogue::relu_bias:
            return CUBLASLT_EPILOGUE_RELU_BIAS;
        default:
            return CUBLASLT_EPILOGUE_DEFAULT;
    }
}

bool is_wide(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % wide_alignment == 0;
}

}  // namespace

// The library's matrices are column-major: a row-major matrix is its transpose there, so it
// computes C^T = op(B)^T op(A)^T with B first.
Product::Product(const Request& request, const ProductShape& s, Epilogue epilogue)
    : device_(request.device), batches_(s.batches) {
    const std::string& id = device_.info().id;
    cublasLtMatmulDesc_t desc = nullptr;
    check_status(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F), id);
    desc_.reset(desc);
    const cublasOperation_t first = s.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t second = s.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(first), id);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSB, static_cast<std::int32_t>(second), id);
    set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, library_epilogue(epilogue), id);

    const auto layout = [&](std::int64_t rows, std::int64_t cols, bool transposed,
                            std::int64_t leading, std::int64_t stride) {
        if (transposed) std::swap(rows, cols);
        return make_layout(cols, rows, leading == 0 ? cols : leading, stride);
    };
    a_ = layout(s.m, s.k, s.transpose_a, s.lda, s.stride_a);
    b_ = layout(s.k, s.n, s.transpose_b, s.ldb, s.stride_b);
    c_ = layout(s.m, s.n, false, s.ldc, s.stride_c);
    wide_ = choose(wide_alignment);
    any_ = choose(float_alignment);
    request.expect(any_.has_value(), "cuBLASLt has no algorithm for (" + std::to_string(s.m) +
                                         ", " + std::to_string(s.k) + ") x (" +
                                         std::to_string(s.k) + ", " + std::to_string(s.n) + ")");
}

Product::Layout Product::make_layout(std::int64_t rows, std::int64_t cols, std::int64_t leading,
                                     std::int64_t stride) const {
    const std::string& id = device_.info().id;
    cublasLtMatrixLayout_t made = nullptr;
    check_status(cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, static_cast<std::uint64_t>(rows),
                                            static_cast<std::uint64_t>(cols), leading),
                 id);
    Layout layout(made);
    if (batches_ == 1) return layout;
    const std::int32_t count = batches_;
    check_status(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                                  sizeof(count)),
                 id);
    check_status(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                  &stride, sizeof(stride)),
                 id);
    return layout;
}

std::optional<cublasLtMatmulHeuristicResult_t> Product::choose(std::uint32_t alignment) const {
    cublasLtMatmulPreference_t made = nullptr;
    const std::string& id = device_.info().id;
    check_status(cublasLtMatmulPreferenceCreate(&made), id);
    const Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> preference(made);
    const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
        check_status(cublasLtMatmulPreferenceSetAttribute(made, attribute, &value, sizeof(value)),
                     id);
    };
    prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, most_workspace);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment);
    cublasLtMatmulHeuristicResult_t result{};
    int found = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(device_.cublas(), desc_.get(), b_.get(), a_.get(), c_.get(),
                                       c_.get(), made, 1, &result, &found);
    if (status != CUBLAS_STATUS_SUCCESS || found == 0) return std::nullopt;
    return result;
}

std::size_t Product::workspace_bytes() const {
    return std::max(wide_ ? wide_->workspaceSize : 0, any_->workspaceSize);
}

void Product::run(const float* a, const float* b, float* c, void* workspace, const float* bias,
                  bool accumulate) {
    const std::string& id = device_.info().id;
    if (bias != bias_) {
        set(desc_.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias, id);
        bias_ = bias;
    }
    const bool wide = wide_ && is_wide(a) && is_wide(b) && is_wide(c);
    const cublasLtMatmulHeuristicResult_t& chosen = wide ? *wide_ : *any_;
    const float one = 1.0F;
    const float beta = accumulate ? 1.0F : 0.0F;
    check_status(cublasLtMatmul(device_.cublas(), desc_.get(), &one, b, b_.get(), a, a_.get(),
                                &beta, c, c_.get(), c, c_.get(), &chosen.algo, workspace,
                                chosen.workspaceSize, device_.stream()),
                 id);
}

ActivatedProduct::ActivatedProduct(const Request& request, const ProductShape& shape, bool has_bias,
                                   kernels::Activation activation)
    : m_(shape.m), n_(shape.n), activation_(activation) {
    using Kind = kernels::ActivationKind;
    const bool relu = activation.kind == Kind::relu;
    // The library adds one bias to all batches: groups of a convolution have one each.
    if (shape.batches == 1 && (has_bias || relu)) {
        const Epilogue epilogue =
            has_bias ? (relu ? Epilogue::relu_bias : Epilogue::bias) : Epilogue::relu;
        try {
            product_ = std::make_unique<Product>(request, shape, epilogue);
            bias_inside_ = has_bias;
            kernel_behind_ = !relu && activation.kind != Kind::linear;
            return;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::unsupported) throw;
        }
    }
    product_ = std::make_unique<Product>(request, shape);
    kernel_behind_ = has_bias || activation.kind != Kind::linear;
    n_ *= shape.batches;  // the batches lie side by side in rows of C
}

cudaError_t ActivatedProduct::run(const float* a, const float* b, float* c, const float* bias,
                                  void* workspace, cudaStream_t stream) {
    product_->run(a, b, c, workspace, bias_inside_ ? bias : nullptr);
    if (!kernel_behind_) return cudaSuccess;
    return kernels::bias_activation_forward(c, c, bias_inside_ ? nullptr : bias, m_, n_,
                                            activation_, stream);
}

}  // namespace strata::cuda
