#include "engine/backends/cuda/product.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "engine/backends/cuda/cast.h"
#include "engine/core/error.h"

namespace strata::cuda {
namespace {

// What the library may use beside its operands: enough for its split-k algorithms.
constexpr std::uint64_t most_workspace = std::uint64_t{32} << 20;
constexpr std::uint32_t wide_alignment = 16;

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

cudaDataType_t library_type(DType type) {
    if (type == DType::bfloat16) return CUDA_R_16BF;
    return type == DType::float16 ? CUDA_R_16F : CUDA_R_32F;
}

constexpr std::uintptr_t variable_alignment = 64;

bool is_wide(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % wide_alignment == 0;
}

// Those behind the first matrix of a batch as well.
bool batches_are_wide(const ProductShape& s, ProductTypes types) {
    const auto is_wide = [](std::int64_t stride, DType type) {
        return static_cast<std::size_t>(stride) * size_of(type) % wide_alignment == 0;
    };
    return s.batches == 1 ||
           (is_wide(s.stride_a, types.operands) && is_wide(s.stride_b, types.operands) &&
            is_wide(s.stride_c, types.result));
}

using Choice = std::optional<cublasLtMatmulHeuristicResult_t>;

// All that the library's choice depends on; device: its number.
using Problem = std::tuple<int, std::int64_t, std::int64_t, std::int64_t, bool, bool, std::int64_t,
                           std::int64_t, std::int64_t, int, std::int64_t, std::int64_t,
                           std::int64_t, DType, DType, Epilogue, bool, bool>;

Problem problem_of(int device, const ProductShape& s, ProductTypes types, Epilogue epilogue,
                   bool tf32, bool wide) {
    return {
        device,       s.m,      s.n,       s.k,        s.transpose_a, s.transpose_b, s.lda,
        s.ldb,        s.ldc,    s.batches, s.stride_a, s.stride_b,    s.stride_c,    types.operands,
        types.result, epilogue, tf32,      wide};
}

// The library is asked once for a problem: a model has many products of one shape, and is planned
// anew for each batch size and run.
class Choices {
public:
    template <typename Ask>
    Choice of(const Problem& problem, const Ask& ask) {
        const std::lock_guard lock(mutex_);
        const auto known = known_.find(problem);
        if (known != known_.end()) return known->second;
        return known_.emplace(problem, ask()).first->second;
    }

private:
    std::mutex mutex_;
    std::map<Problem, Choice> known_;
};

Choices& choices() {
    static Choices instance;
    return instance;
}

}  // namespace

// The library's matrices are column-major: a row-major matrix is its transpose there, so it
// computes C^T = op(B)^T op(A)^T with B first.
Product::Product(const Request& request, const ProductShape& s, ProductTypes types,
                 Epilogue epilogue)
    : device_(request.device), batches_(s.batches) {
    const std::string& id = device_.info().id;
    cublasLtMatmulDesc_t desc = nullptr;
    const bool tf32 = types.operands == DType::float32 && device_.allows_tf32();
    check_status(cublasLtMatmulDescCreate(
                     &desc, tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUDA_R_32F),
                 id);
    desc_.reset(desc);
    const cublasOperation_t first = s.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    const cublasOperation_t second = s.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, static_cast<std::int32_t>(first), id);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSB, static_cast<std::int32_t>(second), id);
    set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, library_epilogue(epilogue), id);

    const auto layout = [&](DType type, std::int64_t rows, std::int64_t cols, bool transposed,
                            std::int64_t leading, std::int64_t stride) {
        if (transposed) std::swap(rows, cols);
        return make_layout(type, cols, rows, leading == 0 ? cols : leading, stride);
    };
    a_ = layout(types.operands, s.m, s.k, s.transpose_a, s.lda, s.stride_a);
    b_ = layout(types.operands, s.k, s.n, s.transpose_b, s.ldb, s.stride_b);
    c_ = layout(types.result, s.m, s.n, false, s.ldc, s.stride_c);
    const auto chosen = [&](bool wide) {
        return choices().of(problem_of(device_.index(), s, types, epilogue, tf32, wide), [&] {
            return wide ? choose(wide_alignment, wide_alignment)
                        : choose(size_of(types.operands), size_of(types.result));
        });
    };
    if (batches_are_wide(s, types)) wide_ = chosen(true);
    any_ = chosen(false);
    set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias_, id);
    request.expect(wide_ || any_, "cuBLASLt has no algorithm for (" + std::to_string(s.m) + ", " +
                                      std::to_string(s.k) + ") x (" + std::to_string(s.k) + ", " +
                                      std::to_string(s.n) + ")");
}

Product::Layout Product::make_layout(DType type, std::int64_t rows, std::int64_t cols,
                                     std::int64_t leading, std::int64_t stride) const {
    const std::string& id = device_.info().id;
    cublasLtMatrixLayout_t made = nullptr;
    check_status(
        cublasLtMatrixLayoutCreate(&made, library_type(type), static_cast<std::uint64_t>(rows),
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

std::optional<cublasLtMatmulHeuristicResult_t> Product::choose(std::size_t operands,
                                                               std::size_t result) const {
    cublasLtMatmulPreference_t made = nullptr;
    const std::string& id = device_.info().id;
    check_status(cublasLtMatmulPreferenceCreate(&made), id);
    const Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy> preference(made);
    const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
        check_status(cublasLtMatmulPreferenceSetAttribute(made, attribute, &value, sizeof(value)),
                     id);
    };
    prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, most_workspace);
    // Parts of a sum over k are kept in float32: in 16 bits they would be rounded, or overflow.
    prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
           std::uint32_t{CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
    const auto of_operands = static_cast<std::uint32_t>(operands);
    const auto of_result = static_cast<std::uint32_t>(result);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, of_operands);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, of_operands);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, of_result);
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, of_result);
    // The bias counts by its address, which is not known yet: one with just this alignment, or
    // where no algorithm takes that, with what all variables have.
    for (const std::uintptr_t bias : {std::uintptr_t{result}, variable_alignment}) {
        set(desc_.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER, reinterpret_cast<const void*>(bias),
            id);
        cublasLtMatmulHeuristicResult_t choice{};
        int found = 0;
        const cublasStatus_t status =
            cublasLtMatmulAlgoGetHeuristic(device_.cublas(), desc_.get(), b_.get(), a_.get(),
                                           c_.get(), c_.get(), made, 1, &choice, &found);
        if (status == CUBLAS_STATUS_SUCCESS && found > 0 && choice.state == CUBLAS_STATUS_SUCCESS)
            return choice;
    }
    return std::nullopt;
}

std::size_t Product::workspace_bytes() const {
    return std::max(wide_ ? wide_->workspaceSize : 0, any_ ? any_->workspaceSize : 0);
}

void Product::run(const void* a, const void* b, void* c, void* workspace, const void* bias,
                  bool accumulate) {
    const std::string& id = device_.info().id;
    if (bias_ != bias) {
        set(desc_.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias, id);
        bias_ = bias;
    }
    const bool wide = wide_ && is_wide(a) && is_wide(b) && is_wide(c) && is_wide(bias);
    if (!wide && !any_)
        throw Error(ErrorCode::unsupported,
                    "cuBLASLt multiplies these matrices only at addresses that 16 divides", id,
                    "Use another GPU or cpu:0, and report it");
    const cublasLtMatmulHeuristicResult_t& chosen = wide ? *wide_ : *any_;
    const float one = 1.0F;
    const float beta = accumulate ? 1.0F : 0.0F;
    check_status(cublasLtMatmul(device_.cublas(), desc_.get(), &one, b, b_.get(), a, a_.get(),
                                &beta, c, c_.get(), c, c_.get(), &chosen.algo, workspace,
                                chosen.workspaceSize, device_.stream()),
                 id);
}

cudaError_t add_bias_and_activate(void* c, DType type, const void* bias, DType bias_type,
                                  std::int64_t m, std::int64_t n, kernels::Activation activation,
                                  cudaStream_t stream) {
    return with_storage(type, [&]<typename T>(Stored<T>) {
        auto* const array = static_cast<T*>(c);
        if (bias_type == DType::float32)
            return kernels::bias_activation_forward(array, array, static_cast<const float*>(bias),
                                                    m, n, activation, stream);
        return kernels::bias_activation_forward(array, array, static_cast<const T*>(bias), m, n,
                                                activation, stream);
    });
}

ActivatedProduct::ActivatedProduct(const Request& request, const ProductShape& shape,
                                   ProductTypes types, std::optional<DType> bias,
                                   kernels::Activation activation)
    : m_(shape.m), n_(shape.n), type_(types.result), activation_(activation) {
    using Kind = kernels::ActivationKind;
    // The library's gelu is the tanh approximation, up to 5e-4 from Keras's, which is by erf. It
    // would do for gelu_tanh alone, which no layer has by default.
    const bool relu = activation.kind == Kind::relu;
    // The library adds one bias to all batches: groups of a convolution have one each.
    if (shape.batches == 1 && (bias || relu)) {
        const Epilogue epilogue =
            bias ? (relu ? Epilogue::relu_bias : Epilogue::bias) : Epilogue::relu;
        try {
            product_ = std::make_unique<Product>(request, shape, types, epilogue);
            bias_inside_ = bias.has_value();
            kernel_behind_ = !relu && activation.kind != Kind::linear;
            plan_bias(bias);
            return;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::unsupported) throw;
        }
    }
    product_ = std::make_unique<Product>(request, shape, types);
    kernel_behind_ = bias || activation.kind != Kind::linear;
    n_ *= shape.batches;  // the batches lie side by side in rows of C
    plan_bias(bias);
}

// The library reads a bias of C's type, the kernel one of float32 too.
void ActivatedProduct::plan_bias(std::optional<DType> bias) {
    if (!bias) return;
    given_bias_ = *bias;
    bias_ = bias_inside_ || *bias == type_ ? type_ : DType::float32;
    if (bias_ != given_bias_)
        cast_bytes_ = aligned_workspace(static_cast<std::size_t>(n_) * size_of(bias_));
}

cudaError_t ActivatedProduct::run(const void* a, const void* b, void* c, const void* bias,
                                  void* workspace, cudaStream_t stream) {
    if (cast_bytes_ > 0) {
        const cudaError_t error = cast(workspace, bias_, bias, given_bias_, n_, stream);
        if (error != cudaSuccess) return error;
        bias = workspace;
    }
    product_->run(a, b, c, static_cast<char*>(workspace) + cast_bytes_,
                  bias_inside_ ? bias : nullptr);
    if (!kernel_behind_) return cudaSuccess;
    return add_bias_and_activate(c, type_, bias_inside_ ? nullptr : bias, bias_, m_, n_,
                                 activation_, stream);
}

}  // namespace strata::cuda
