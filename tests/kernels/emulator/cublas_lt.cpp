// The stand-in for cuBLASLt: checks what the library checks, and multiplies on the stream's queue.
#include <cublasLt.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/core/half.h"
#include "state.h"
#include "watch.h"

struct cublasLtContext {};
struct cublasLtMatmulDescOpaque_t {
    std::int32_t trans_a = CUBLAS_OP_N, trans_b = CUBLAS_OP_N;
    std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    const void* bias = nullptr;
    cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
};
struct cublasLtMatrixLayoutOpaque_t {
    cudaDataType_t type = CUDA_R_32F;
    std::int64_t rows = 0, cols = 0, ld = 0, stride = 0;
    std::int32_t batches = 1;
};
struct cublasLtMatmulPreferenceOpaque_t {
    std::uint64_t workspace_bytes = 0;
    std::uint32_t alignments[4] = {256, 256, 256, 256};  // of A to D: what it assumes unless told
    std::uint32_t reduction = CUBLASLT_REDUCTION_SCHEME_MASK;
};

namespace {

using cuda_emulator::mark;
using cuda_emulator::require_written;
using Layout = cublasLtMatrixLayoutOpaque_t;
using Desc = cublasLtMatmulDescOpaque_t;

// What the heuristic asks for where it is allowed to, so that a caller who provides less is found
// out.
constexpr std::size_t wanted_workspace = 4096;

template <class T>
cublasStatus_t assign(T& target, const void* value, std::size_t bytes) {
    if (value == nullptr || bytes != sizeof(T)) return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&target, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

bool has_bias(const Desc& desc) {
    return (desc.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0;
}

bool is_aligned(const void* pointer, std::uint64_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

// Of an address, at most 256: null is aligned to everything.
std::uint64_t alignment_of(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    return address == 0 ? 256 : std::min<std::uint64_t>(address & (~address + 1), 256);
}

bool is_known_epilogue(std::uint32_t epilogue) {
    switch (epilogue) {
        case CUBLASLT_EPILOGUE_DEFAULT:
        case CUBLASLT_EPILOGUE_RELU:
        case CUBLASLT_EPILOGUE_BIAS:
        case CUBLASLT_EPILOGUE_RELU_BIAS:
        case CUBLASLT_EPILOGUE_GELU:
        case CUBLASLT_EPILOGUE_GELU_BIAS:
            return true;
        default:
            return false;
    }
}

cublasStatus_t check(const Desc& desc, const Layout& a, const Layout& b, const Layout& c,
                     const Layout& d) {
    for (const Layout* layout : {&a, &b, &c, &d}) {
        if (layout->rows == 0 || layout->cols == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
        if (layout->ld < layout->rows) return CUBLAS_STATUS_INVALID_VALUE;
        if (layout->batches != d.batches) return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (!is_known_epilogue(desc.epilogue)) return CUBLAS_STATUS_NOT_SUPPORTED;
    // A and B are of one type, C and D of that or float32.
    if (a.type != b.type || c.type != d.type || (d.type != a.type && d.type != CUDA_R_32F))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (desc.compute == CUBLAS_COMPUTE_32F_FAST_TF32 && a.type != CUDA_R_32F)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const bool ta = desc.trans_a != CUBLAS_OP_N;
    const bool tb = desc.trans_b != CUBLAS_OP_N;
    const bool fits = (ta ? a.cols : a.rows) == d.rows && (tb ? b.rows : b.cols) == d.cols &&
                      (ta ? a.rows : a.cols) == (tb ? b.cols : b.rows) && c.rows == d.rows &&
                      c.cols == d.cols;
    return fits ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

std::size_t bytes_of(cudaDataType_t type) {
    return type == CUDA_R_32F ? 4 : 2;
}

// The matrices of a batch that are not the first, too.
bool is_aligned(const Layout& layout, const void* data, std::uint64_t bytes) {
    const auto stride = static_cast<std::uint64_t>(layout.stride) * bytes_of(layout.type);
    return is_aligned(data, bytes) && (layout.batches == 1 || stride % bytes == 0);
}

std::size_t bytes_of_column(const Layout& layout) {
    return static_cast<std::size_t>(layout.rows) * bytes_of(layout.type);
}
const void* element(const void* array, std::int64_t i, cudaDataType_t type) {
    return static_cast<const char*>(array) + i * static_cast<std::int64_t>(bytes_of(type));
}

// Element i of an array of the type.
float read(const void* array, std::int64_t i, cudaDataType_t type) {
    if (type == CUDA_R_16BF)
        return strata::to_float(static_cast<const strata::BFloat16*>(array)[i]);
    if (type == CUDA_R_16F) return strata::to_float(static_cast<const strata::Float16*>(array)[i]);
    return static_cast<const float*>(array)[i];
}
void write(void* array, std::int64_t i, cudaDataType_t type, float value) {
    if (type == CUDA_R_16BF)
        static_cast<strata::BFloat16*>(array)[i] = strata::to_bfloat16(value);
    else if (type == CUDA_R_16F)
        static_cast<strata::Float16*>(array)[i] = strata::to_float16(value);
    else
        static_cast<float*>(array)[i] = value;
}

// To TF32's 10 fraction bits, to nearest, ties away: what the tensor cores do.
float to_tf32(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return std::isfinite(x) ? std::bit_cast<float>((bits + 0x1000U) & ~0x1FFFU) : x;
}

// op(X) as a dense column-major matrix, of the batch.
std::vector<float> pack(const void* x, const Layout& layout, int batch, bool transpose, bool tf32) {
    std::vector<float> packed(static_cast<std::size_t>(layout.rows * layout.cols));
    for (std::int64_t col = 0; col < layout.cols; ++col) {
        require_written(element(x, batch * layout.stride + col * layout.ld, layout.type),
                        bytes_of_column(layout), "a matrix product");
        for (std::int64_t row = 0; row < layout.rows; ++row) {
            const std::int64_t i = transpose ? row * layout.cols + col : col * layout.rows + row;
            const float value = read(x, batch * layout.stride + col * layout.ld + row, layout.type);
            packed[static_cast<std::size_t>(i)] = tf32 ? to_tf32(value) : value;
        }
    }
    return packed;
}

float finish(float value, std::uint32_t epilogue) {
    if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) return value < 0.0F ? 0.0F : value;
    if ((epilogue & CUBLASLT_EPILOGUE_GELU) != 0) {  // the library's is the tanh approximation
        const double x = value;
        const double inner = std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
        return static_cast<float>(0.5 * x * (1.0 + std::tanh(inner)));
    }
    return value;
}

struct Product {
    Desc desc;
    Layout a, b, c, d;
    float alpha, beta;
    const void *a_data, *b_data, *c_data;
    void* d_data;

    void run() const {
        for (int batch = 0; batch < d.batches; ++batch) run_batch(batch);
    }

    void run_batch(int batch) const {
        const bool ta = desc.trans_a != CUBLAS_OP_N;
        const bool tb = desc.trans_b != CUBLAS_OP_N;
        const bool tf32 = desc.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
        const std::vector<float> left = pack(a_data, a, batch, ta, tf32);
        const std::vector<float> right = pack(b_data, b, batch, tb, tf32);
        const auto m = static_cast<std::size_t>(d.rows);
        const auto k = static_cast<std::size_t>(ta ? a.rows : a.cols);
        std::vector<float> column(m);
        for (std::int64_t j = 0; j < d.cols; ++j) {
            column.assign(m, 0.0F);
            for (std::size_t p = 0; p < k; ++p) {
                const float factor = right[static_cast<std::size_t>(j) * k + p];
                for (std::size_t i = 0; i < m; ++i) column[i] += left[p * m + i] * factor;
            }
            store(batch, j, column);
        }
    }

    void store(int batch, std::int64_t col, const std::vector<float>& column) const {
        const std::int64_t c_begin = batch * c.stride + col * c.ld;
        const std::int64_t d_begin = batch * d.stride + col * d.ld;
        if (beta != 0.0F)
            require_written(element(c_data, c_begin, c.type), bytes_of_column(c),
                            "a matrix product");
        mark(element(d_data, d_begin, d.type), bytes_of_column(d), cuda_emulator::Byte::written);
        for (std::int64_t i = 0; i < d.rows; ++i) {
            float value = alpha * column[static_cast<std::size_t>(i)];
            // C is not read where beta is 0.
            if (beta != 0.0F) value += beta * read(c_data, c_begin + i, c.type);
            if (has_bias(desc)) value += read(desc.bias, i, d.type);  // the bias has D's type
            write(d_data, d_begin + i, d.type, finish(value, desc.epilogue));
        }
    }
};

std::atomic<std::size_t> heuristic_queries = 0;

}  // namespace

std::size_t cuda_emulator::algorithm_queries() {
    return heuristic_queries;
}

const char* cublasLtGetStatusName(cublasStatus_t status) {
    switch (status) {
        case CUBLAS_STATUS_SUCCESS:
            return "CUBLAS_STATUS_SUCCESS";
        case CUBLAS_STATUS_INVALID_VALUE:
            return "CUBLAS_STATUS_INVALID_VALUE";
        case CUBLAS_STATUS_NOT_SUPPORTED:
            return "CUBLAS_STATUS_NOT_SUPPORTED";
        default:
            return "CUBLAS_STATUS_UNKNOWN";
    }
}
const char* cublasLtGetStatusString(cublasStatus_t status) {
    return cublasLtGetStatusName(status);
}
std::size_t cublasLtGetVersion() {
    return 130000;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = new cublasLtContext;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
    if (scale != CUDA_R_32F) return CUBLAS_STATUS_NOT_SUPPORTED;
    *desc = new cublasLtMatmulDescOpaque_t;
    (*desc)->compute = compute;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
    delete desc;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t bytes) {
    if (desc == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    switch (attribute) {
        case CUBLASLT_MATMUL_DESC_TRANSA:
            return assign(desc->trans_a, value, bytes);
        case CUBLASLT_MATMUL_DESC_TRANSB:
            return assign(desc->trans_b, value, bytes);
        case CUBLASLT_MATMUL_DESC_EPILOGUE:
            return assign(desc->epilogue, value, bytes);
        case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
            return assign(desc->bias, value, bytes);
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type,
                                          std::uint64_t rows, std::uint64_t cols, std::int64_t ld) {
    if (type != CUDA_R_32F && type != CUDA_R_16F && type != CUDA_R_16BF)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    *layout = new cublasLtMatrixLayoutOpaque_t{type, static_cast<std::int64_t>(rows),
                                               static_cast<std::int64_t>(cols), ld};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    delete layout;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, std::size_t bytes) {
    if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    switch (attribute) {
        case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
            return assign(layout->batches, value, bytes);
        case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
            return assign(layout->stride, value, bytes);
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
    *preference = new cublasLtMatmulPreferenceOpaque_t;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    delete preference;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
    if (preference == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
        return assign(preference->workspace_bytes, value, bytes);
    if (attribute == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK)
        return assign(preference->reduction, value, bytes);
    const int matrix = attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
    if (matrix < 0 || matrix > 3) return CUBLAS_STATUS_INVALID_VALUE;
    return assign(preference->alignments[matrix], value, bytes);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* found) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (requested < 1 || results == nullptr || found == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    ++heuristic_queries;
    *found = 0;
    const cublasStatus_t status = check(*desc, *a, *b, *c, *d);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    const bool allowed = preference != nullptr && preference->workspace_bytes >= wanted_workspace;
    const cublasLtMatmulPreferenceOpaque_t unless_told;
    const auto& alignments = (preference != nullptr ? preference : &unless_told)->alignments;
    // No kernel reads elements that lie across their own size.
    const Layout* const layouts[] = {a, b, c, d};
    for (int i = 0; i < 4; ++i)
        if (alignments[i] <
            (cuda_emulator::machine().only_wide_products ? 16U : bytes_of(layouts[i]->type)))
            return CUBLAS_STATUS_NOT_SUPPORTED;
    results[0] = {};
    results[0].workspaceSize = allowed ? wanted_workspace : 0;
    results[0].algo.data[0] = results[0].workspaceSize;
    results[0].algo.data[1] = std::min(alignments[0], alignments[1]);
    results[0].algo.data[4] = std::min(alignments[2], alignments[3]);
    // The choice counts on the alignment that the bias has at the question.
    results[0].algo.data[2] = has_bias(*desc) ? alignment_of(desc->bias) : 1;
    // Where it may, it keeps parts of the sum in the result's type.
    constexpr std::uint32_t in_result =
        CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
    const bool may = preference == nullptr || (preference->reduction & in_result) != 0;
    results[0].algo.data[3] = may && bytes_of(d->type) < bytes_of(CUDA_R_32F) ? 1 : 0;
    results[0].state = CUBLAS_STATUS_SUCCESS;
    *found = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* a_data, cublasLtMatrixLayout_t a, const void* b_data,
                              cublasLtMatrixLayout_t b, const void* beta, const void* c_data,
                              cublasLtMatrixLayout_t c, void* d_data, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t* algo, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    const cublasStatus_t status = check(*desc, *a, *b, *c, *d);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    const std::size_t needed = algo != nullptr ? algo->data[0] : 0;
    if (needed > workspace_bytes || (needed > 0 && workspace == nullptr)) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const std::uint64_t operands = algo != nullptr ? algo->data[1] : bytes_of(a->type);
    const std::uint64_t results = algo != nullptr ? algo->data[4] : bytes_of(d->type);
    if (!is_aligned(*a, a_data, operands) || !is_aligned(*b, b_data, operands) ||
        !is_aligned(*c, c_data, results) || !is_aligned(*d, d_data, results))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (needed > 0 && !is_aligned(workspace, 256)) return CUBLAS_STATUS_INVALID_VALUE;
    if (has_bias(*desc) && desc->bias == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (algo != nullptr && has_bias(*desc) && !is_aligned(desc->bias, algo->data[2]))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (algo != nullptr && algo->data[3] != 0) {
        cuda_emulator::set_fault("a product keeps parts of its sums in 16 bits");
        return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    const float factors[] = {*static_cast<const float*>(alpha), *static_cast<const float*>(beta)};
    const Product product{*desc,      *a,     *b,     *c,     *d,    factors[0],
                          factors[1], a_data, b_data, c_data, d_data};
    const cudaError_t queued = cuda_emulator::enqueue(stream, [product, workspace, needed] {
        if (needed > 0) {  // the library may write all of it
            std::memset(workspace, 0xFF, needed);
            mark(workspace, needed, cuda_emulator::Byte::unwritten);
        }
        product.run();
        return cudaSuccess;
    });
    return queued == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
