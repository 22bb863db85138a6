// cuDNN's functions, found at run time: without it our own kernels do its work. The declarations
// are those of cuDNN 9's C interface, whose values do not change within a major version.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>

namespace strata::cuda {

struct CudnnContext;  // cuDNN's own
struct CudnnTensorData;
struct CudnnFilterData;
struct CudnnConvolutionData;
using CudnnHandle = CudnnContext*;
using CudnnTensor = CudnnTensorData*;
using CudnnFilter = CudnnFilterData*;
using CudnnConvolution = CudnnConvolutionData*;

enum class CudnnType : int { float32 = 0, float16 = 2, bfloat16 = 9 };
enum class CudnnFormat : int { nhwc = 1 };
enum class CudnnMode : int { cross_correlation = 1 };
// allowed: TF32 for float32; tensor: tensor cores for 16-bit types; fma: neither.
enum class CudnnMath : int { allowed = 0, tensor = 1, fma = 3 };
inline constexpr int cudnn_success = 0, cudnn_deterministic = 1;

// One of cuDNN's proposals for a convolution, of any pass.
struct CudnnChoice {
    int algorithm;
    int status;
    float milliseconds;
    std::size_t workspace_bytes;
    int determinism;
    CudnnMath math;
    int reserved[3];
};

struct CudnnLibrary {
    std::size_t (*version)() = nullptr;  // 91300: 9.13
    const char* (*error_text)(int status) = nullptr;
    int (*create)(CudnnHandle* handle) = nullptr;
    int (*destroy)(CudnnHandle handle) = nullptr;
    int (*set_stream)(CudnnHandle handle, cudaStream_t stream) = nullptr;
    int (*create_tensor)(CudnnTensor* tensor) = nullptr;
    int (*set_tensor)(CudnnTensor tensor, CudnnFormat format, CudnnType type, int n, int c, int h,
                      int w) = nullptr;
    int (*destroy_tensor)(CudnnTensor tensor) = nullptr;
    int (*create_filter)(CudnnFilter* filter) = nullptr;
    int (*set_filter)(CudnnFilter filter, CudnnType type, CudnnFormat format, int k, int c, int h,
                      int w) = nullptr;
    int (*destroy_filter)(CudnnFilter filter) = nullptr;
    int (*create_convolution)(CudnnConvolution* convolution) = nullptr;
    int (*set_convolution)(CudnnConvolution convolution, int pad_h, int pad_w, int stride_h,
                           int stride_w, int dilation_h, int dilation_w, CudnnMode mode,
                           CudnnType sums) = nullptr;
    int (*set_groups)(CudnnConvolution convolution, int groups) = nullptr;
    int (*set_math)(CudnnConvolution convolution, CudnnMath math) = nullptr;
    int (*destroy_convolution)(CudnnConvolution convolution) = nullptr;
    int (*choose_forward)(CudnnHandle handle, CudnnTensor x, CudnnFilter w,
                          CudnnConvolution convolution, CudnnTensor y, int wanted, int* given,
                          CudnnChoice* choices) = nullptr;
    int (*choose_data)(CudnnHandle handle, CudnnFilter w, CudnnTensor dy,
                       CudnnConvolution convolution, CudnnTensor dx, int wanted, int* given,
                       CudnnChoice* choices) = nullptr;
    int (*choose_weights)(CudnnHandle handle, CudnnTensor x, CudnnTensor dy,
                          CudnnConvolution convolution, CudnnFilter dw, int wanted, int* given,
                          CudnnChoice* choices) = nullptr;
    // What an algorithm needs; an error where it cannot compute this convolution.
    int (*workspace_forward)(CudnnHandle handle, CudnnTensor x, CudnnFilter w,
                             CudnnConvolution convolution, CudnnTensor y, int algorithm,
                             std::size_t* bytes) = nullptr;
    int (*workspace_data)(CudnnHandle handle, CudnnFilter w, CudnnTensor dy,
                          CudnnConvolution convolution, CudnnTensor dx, int algorithm,
                          std::size_t* bytes) = nullptr;
    int (*workspace_weights)(CudnnHandle handle, CudnnTensor x, CudnnTensor dy,
                             CudnnConvolution convolution, CudnnFilter dw, int algorithm,
                             std::size_t* bytes) = nullptr;
    int (*forward)(CudnnHandle handle, const void* alpha, CudnnTensor x_layout, const void* x,
                   CudnnFilter w_layout, const void* w, CudnnConvolution convolution, int algorithm,
                   void* workspace, std::size_t workspace_bytes, const void* beta,
                   CudnnTensor y_layout, void* y) = nullptr;
    int (*backward_data)(CudnnHandle handle, const void* alpha, CudnnFilter w_layout, const void* w,
                         CudnnTensor dy_layout, const void* dy, CudnnConvolution convolution,
                         int algorithm, void* workspace, std::size_t workspace_bytes,
                         const void* beta, CudnnTensor dx_layout, void* dx) = nullptr;
    int (*backward_weights)(CudnnHandle handle, const void* alpha, CudnnTensor x_layout,
                            const void* x, CudnnTensor dy_layout, const void* dy,
                            CudnnConvolution convolution, int algorithm, void* workspace,
                            std::size_t workspace_bytes, const void* beta, CudnnFilter dw_layout,
                            void* dw) = nullptr;
};

// symbol: a function of the library by its name, null where it has none of that name. Null where
// one is missing, or the version is not 9.
const CudnnLibrary* cudnn_from(const std::function<void*(const char*)>& symbol,
                               CudnnLibrary& library);

// What is installed, loaded once; null where nothing fit to be used is.
const CudnnLibrary* cudnn_installed();

// That, unless the environment has STRATA_CUDNN=0, or it has not started.
const CudnnLibrary* cudnn_library();
// Why it does not start, once that is known: one of another CUDA version, say, is loaded all the
// same. Empty: it does.
void set_cudnn_fault(const std::string& why);

// What computes convolutions, for people: "cuDNN 9.13", "own kernels", or "own kernels (cuDNN 9.13:
// CUDNN_STATUS_NOT_INITIALIZED)".
std::string convolution_library_name();

}  // namespace strata::cuda
