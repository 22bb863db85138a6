// The stand-in for cuDNN: checks what the library checks, and convolves on the stream's queue by
// plain loops.
#include "include/cudnn.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "engine/core/half.h"
#include "state.h"
#include "watch.h"

struct cudnnContext {
    cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
    cudnnDataType_t type = CUDNN_DATA_DOUBLE;
    int n = 0, c = 0, h = 0, w = 0;
};
struct cudnnFilterStruct {
    cudnnDataType_t type = CUDNN_DATA_DOUBLE;
    int k = 0, c = 0, h = 0, w = 0;
};
struct cudnnConvolutionStruct {
    int pad_h = 0, pad_w = 0, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
    int groups = 1;
    cudnnMathType_t math = CUDNN_DEFAULT_MATH;
    bool set = false;
};

namespace {

using cuda_emulator::Byte;

bool installed = false;
cudnnStatus_t start = CUDNN_STATUS_SUCCESS;
cuda_emulator::CudnnCalls calls;

// What the deterministic algorithm asks for, so that a caller who provides less is found out.
constexpr std::size_t wanted_workspace = 8192;
constexpr int good_algorithm = 1, fast_algorithm = 0, untrue_algorithm = 5;

std::size_t size_of(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT ? 4 : 2;
}

bool is_type(cudnnDataType_t type) {
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16;
}

double read(const void* array, std::size_t i, cudnnDataType_t type) {
    if (type == CUDNN_DATA_BFLOAT16)
        return strata::to_float(static_cast<const strata::BFloat16*>(array)[i]);
    if (type == CUDNN_DATA_HALF)
        return strata::to_float(static_cast<const strata::Float16*>(array)[i]);
    return static_cast<const float*>(array)[i];
}

void write(void* array, std::size_t i, cudnnDataType_t type, float value) {
    if (type == CUDNN_DATA_BFLOAT16)
        static_cast<strata::BFloat16*>(array)[i] = strata::to_bfloat16(value);
    else if (type == CUDNN_DATA_HALF)
        static_cast<strata::Float16*>(array)[i] = strata::to_float16(value);
    else
        static_cast<float*>(array)[i] = value;
}

struct Problem {
    cudnnTensorStruct x, y;
    cudnnFilterStruct w;
    cudnnConvolutionStruct c;

    bool fits() const {
        const auto extent = [](int size, int pad, int kernel, int stride, int dilation) {
            return 1 + (size + 2 * pad - (kernel - 1) * dilation - 1) / stride;
        };
        return c.set && x.n > 0 && x.n == y.n && x.type == w.type && x.type == y.type &&
               w.c * c.groups == x.c && w.k == y.c && w.k % c.groups == 0 &&
               extent(x.h, c.pad_h, w.h, c.stride_h, c.dilation_h) == y.h &&
               extent(x.w, c.pad_w, w.w, c.stride_w, c.dilation_w) == y.w;
    }
    std::size_t x_size() const { return std::size_t(x.n) * x.h * x.w * x.c; }
    std::size_t y_size() const { return std::size_t(y.n) * y.h * y.w * y.c; }
    std::size_t w_size() const { return std::size_t(w.k) * w.h * w.w * w.c; }

    // visit(index of x, of w, of y) for each product.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (int n = 0; n < y.n; ++n)
            for (int oh = 0; oh < y.h; ++oh)
                for (int ow = 0; ow < y.w; ++ow)
                    for (int i = 0; i < w.h * w.w; ++i)
                        visit_tap(visit, n, oh, ow, i / w.w, i % w.w);
    }
    template <class Visit>
    void visit_tap(const Visit& visit, int n, int oh, int ow, int kh, int kw) const {
        const int h = oh * c.stride_h - c.pad_h + kh * c.dilation_h;
        const int col = ow * c.stride_w - c.pad_w + kw * c.dilation_w;
        if (h < 0 || h >= x.h || col < 0 || col >= x.w) return;
        for (int k = 0; k < w.k; ++k) {
            const int first = k / (w.k / c.groups) * w.c;
            for (int ch = 0; ch < w.c; ++ch)
                visit(((std::size_t(n) * x.h + h) * x.w + col) * x.c + first + ch,
                      ((std::size_t(k) * w.h + kh) * w.w + kw) * w.c + ch,
                      ((std::size_t(n) * y.h + oh) * y.w + ow) * y.c + k);
        }
    }
};

cudnnStatus_t propose(cudnnHandle_t handle, const Problem& p, int requested, int* returned,
                      cudnnConvolutionAlgoPerf_t* results) {
    if (handle == nullptr) return CUDNN_STATUS_NOT_INITIALIZED;
    if (returned == nullptr || results == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    if (requested < 1 || !p.fits()) return CUDNN_STATUS_BAD_PARAM;
    ++calls.queries;
    // The fastest is not deterministic, the next cannot do it after all, and the one behind it may
    // need more than the caller has.
    const cudnnConvolutionAlgoPerf_t all[] = {
        {fast_algorithm, CUDNN_STATUS_SUCCESS, 1.0F, 0, CUDNN_NON_DETERMINISTIC, p.c.math, {}},
        {untrue_algorithm,
         CUDNN_STATUS_SUCCESS,
         1.5F,
         0,
         CUDNN_DETERMINISTIC,
         CUDNN_DEFAULT_MATH,
         {}},
        {good_algorithm,
         CUDNN_STATUS_SUCCESS,
         2.0F,
         wanted_workspace,
         CUDNN_DETERMINISTIC,
         CUDNN_DEFAULT_MATH,
         {}},
        {7, CUDNN_STATUS_NOT_SUPPORTED, -1.0F, 0, CUDNN_DETERMINISTIC, p.c.math, {}}};
    *returned = 0;
    for (const auto& one : all)
        if (*returned < requested) results[(*returned)++] = one;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t workspace_of(cudnnHandle_t handle, const Problem& p, int algorithm,
                           std::size_t* bytes) {
    if (handle == nullptr) return CUDNN_STATUS_NOT_INITIALIZED;
    if (bytes == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    if (!p.fits()) return CUDNN_STATUS_BAD_PARAM;
    if (algorithm != good_algorithm && algorithm != fast_algorithm)
        return CUDNN_STATUS_NOT_SUPPORTED;
    *bytes = algorithm == good_algorithm ? wanted_workspace : 0;
    return CUDNN_STATUS_SUCCESS;
}

struct Operand {
    const void* data;
    std::size_t size;
};

// result = alpha * the sums of products + beta * result.
cudnnStatus_t convolve(cudnnHandle_t handle, const Problem& p, const void* alpha, const void* beta,
                       int algorithm, void* workspace, std::size_t workspace_bytes, Operand left,
                       Operand right, void* result, std::size_t result_size,
                       std::function<void(std::vector<float>&)> sum_up) {
    if (handle == nullptr) return CUDNN_STATUS_NOT_INITIALIZED;
    if (alpha == nullptr || beta == nullptr || left.data == nullptr || right.data == nullptr ||
        result == nullptr)
        return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    if (!p.fits()) return CUDNN_STATUS_BAD_PARAM;
    if (algorithm != good_algorithm && algorithm != fast_algorithm)
        return CUDNN_STATUS_NOT_SUPPORTED;
    const std::size_t needed = algorithm == good_algorithm ? wanted_workspace : 0;
    if (workspace_bytes < needed || (needed > 0 && workspace == nullptr))
        return CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT;
    const std::size_t size = size_of(p.x.type);
    for (const void* pointer : {left.data, right.data, static_cast<const void*>(result)})
        if (reinterpret_cast<std::uintptr_t>(pointer) % size != 0)
            return CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER;
    const float a = *static_cast<const float*>(alpha);
    const float b = *static_cast<const float*>(beta);
    ++calls.convolutions;
    const cudaError_t queued =
        cuda_emulator::enqueue(handle->stream, [=, type = p.x.type, sum_up = std::move(sum_up)] {
            cuda_emulator::require_written(left.data, left.size * size, "a convolution");
            cuda_emulator::require_written(right.data, right.size * size, "a convolution");
            if (b != 0.0F)
                cuda_emulator::require_written(result, result_size * size, "a convolution");
            if (needed > 0) {  // the library may write all of it
                std::memset(workspace, 0xFF, needed);
                cuda_emulator::mark(workspace, needed, Byte::unwritten);
            }
            std::vector<float> sums(result_size, 0.0F);
            sum_up(sums);
            for (std::size_t i = 0; i < result_size; ++i) {
                const float before =
                    b != 0.0F ? b * static_cast<float>(read(result, i, type)) : 0.0F;
                write(result, i, type, a * sums[i] + before);
            }
            cuda_emulator::mark(result, result_size * size, Byte::written);
            return cudaSuccess;
        });
    return queued == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

template <class T>
cudnnStatus_t create(T** made) {
    if (made == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
    *made = new T;
    return CUDNN_STATUS_SUCCESS;
}
template <class T>
cudnnStatus_t destroy(T* made) {
    delete made;
    return CUDNN_STATUS_SUCCESS;
}

}  // namespace

void cuda_emulator::install_cudnn(bool there, cudnnStatus_t first_status) {
    installed = there;
    start = first_status;
}
bool cuda_emulator::has_cudnn() {
    return installed;
}
cuda_emulator::CudnnCalls cuda_emulator::take_cudnn_calls() {
    return std::exchange(calls, {});
}

std::size_t cudnnGetVersion() {
    return 91300;
}
const char* cudnnGetErrorString(cudnnStatus_t status) {
    if (status == CUDNN_STATUS_NOT_INITIALIZED) return "CUDNN_STATUS_NOT_INITIALIZED";
    return status == CUDNN_STATUS_SUCCESS ? "CUDNN_STATUS_SUCCESS" : "CUDNN_STATUS_BAD_PARAM";
}
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
    return start == CUDNN_STATUS_SUCCESS ? create(handle) : start;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
    return destroy(handle);
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
    if (handle == nullptr) return CUDNN_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* tensor) {
    return create(tensor);
}
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
    if (tensor == nullptr || n < 1 || c < 1 || h < 1 || w < 1) return CUDNN_STATUS_BAD_PARAM;
    if (format != CUDNN_TENSOR_NHWC || !is_type(type)) return CUDNN_STATUS_NOT_SUPPORTED;
    *tensor = {type, n, c, h, w};
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
    return destroy(tensor);
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* filter) {
    return create(filter);
}
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
    if (filter == nullptr || k < 1 || c < 1 || h < 1 || w < 1) return CUDNN_STATUS_BAD_PARAM;
    if (format != CUDNN_TENSOR_NHWC || !is_type(type)) return CUDNN_STATUS_NOT_SUPPORTED;
    *filter = {type, k, c, h, w};
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
    return destroy(filter);
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* convolution) {
    return create(convolution);
}
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution, int pad_h,
                                              int pad_w, int stride_h, int stride_w, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute) {
    if (convolution == nullptr || pad_h < 0 || pad_w < 0 || stride_h < 1 || stride_w < 1 ||
        dilation_h < 1 || dilation_w < 1)
        return CUDNN_STATUS_BAD_PARAM;
    if (mode != CUDNN_CROSS_CORRELATION || compute != CUDNN_DATA_FLOAT)
        return CUDNN_STATUS_NOT_SUPPORTED;
    *convolution = {pad_h,      pad_w, stride_h,           stride_w, dilation_h,
                    dilation_w, 1,     CUDNN_DEFAULT_MATH, true};
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convolution, int groups) {
    if (convolution == nullptr || groups < 1) return CUDNN_STATUS_BAD_PARAM;
    convolution->groups = groups;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t math) {
    if (convolution == nullptr) return CUDNN_STATUS_BAD_PARAM;
    convolution->math = math;
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution) {
    return destroy(convolution);
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
    cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t y, int requested,
    int* returned, cudnnConvolutionAlgoPerf_t* results) {
    return propose(handle, {*x, *y, *w, *convolution}, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, cudnnFilterDescriptor_t w, cudnnTensorDescriptor_t dy,
    cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t dx, int requested,
    int* returned, cudnnConvolutionAlgoPerf_t* results) {
    return propose(handle, {*dx, *dy, *w, *convolution}, requested, returned, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t dy,
    cudnnConvolutionDescriptor_t convolution, cudnnFilterDescriptor_t dw, int requested,
    int* returned, cudnnConvolutionAlgoPerf_t* results) {
    return propose(handle, {*x, *dy, *dw, *convolution}, requested, returned, results);
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle,
                                                      cudnnTensorDescriptor_t x,
                                                      cudnnFilterDescriptor_t w,
                                                      cudnnConvolutionDescriptor_t convolution,
                                                      cudnnTensorDescriptor_t y, int algorithm,
                                                      std::size_t* bytes) {
    return workspace_of(handle, {*x, *y, *w, *convolution}, algorithm, bytes);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle,
                                                           cudnnFilterDescriptor_t w,
                                                           cudnnTensorDescriptor_t dy,
                                                           cudnnConvolutionDescriptor_t convolution,
                                                           cudnnTensorDescriptor_t dx,
                                                           int algorithm, std::size_t* bytes) {
    return workspace_of(handle, {*dx, *dy, *w, *convolution}, algorithm, bytes);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t dy,
    cudnnConvolutionDescriptor_t convolution, cudnnFilterDescriptor_t dw, int algorithm,
    std::size_t* bytes) {
    return workspace_of(handle, {*x, *dy, *dw, *convolution}, algorithm, bytes);
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                      cudnnTensorDescriptor_t x_layout, const void* x,
                                      cudnnFilterDescriptor_t w_layout, const void* w,
                                      cudnnConvolutionDescriptor_t convolution, int algorithm,
                                      void* workspace, std::size_t workspace_bytes,
                                      const void* beta, cudnnTensorDescriptor_t y_layout, void* y) {
    const Problem p{*x_layout, *y_layout, *w_layout, *convolution};
    return convolve(handle, p, alpha, beta, algorithm, workspace, workspace_bytes, {x, p.x_size()},
                    {w, p.w_size()}, y, p.y_size(), [p, x, w](std::vector<float>& sums) {
                        p.for_each([&](std::size_t i, std::size_t k, std::size_t o) {
                            sums[o] +=
                                static_cast<float>(read(x, i, p.x.type) * read(w, k, p.x.type));
                        });
                    });
}
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                           cudnnFilterDescriptor_t w_layout, const void* w,
                                           cudnnTensorDescriptor_t dy_layout, const void* dy,
                                           cudnnConvolutionDescriptor_t convolution, int algorithm,
                                           void* workspace, std::size_t workspace_bytes,
                                           const void* beta, cudnnTensorDescriptor_t dx_layout,
                                           void* dx) {
    const Problem p{*dx_layout, *dy_layout, *w_layout, *convolution};
    return convolve(handle, p, alpha, beta, algorithm, workspace, workspace_bytes, {dy, p.y_size()},
                    {w, p.w_size()}, dx, p.x_size(), [p, dy, w](std::vector<float>& sums) {
                        p.for_each([&](std::size_t i, std::size_t k, std::size_t o) {
                            sums[i] +=
                                static_cast<float>(read(dy, o, p.x.type) * read(w, k, p.x.type));
                        });
                    });
}
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                             cudnnTensorDescriptor_t x_layout, const void* x,
                                             cudnnTensorDescriptor_t dy_layout, const void* dy,
                                             cudnnConvolutionDescriptor_t convolution,
                                             int algorithm, void* workspace,
                                             std::size_t workspace_bytes, const void* beta,
                                             cudnnFilterDescriptor_t dw_layout, void* dw) {
    const Problem p{*x_layout, *dy_layout, *dw_layout, *convolution};
    return convolve(handle, p, alpha, beta, algorithm, workspace, workspace_bytes, {x, p.x_size()},
                    {dy, p.y_size()}, dw, p.w_size(), [p, x, dy](std::vector<float>& sums) {
                        p.for_each([&](std::size_t i, std::size_t k, std::size_t o) {
                            sums[k] +=
                                static_cast<float>(read(x, i, p.x.type) * read(dy, o, p.x.type));
                        });
                    });
}
