// Pooling on images (N,H,W,C); outputs are (N,OH,OW,C) with OH, OW of kernels/window.h.
// Called by the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/storage.h"
#include "kernels/window.h"

namespace strata::kernels {

// y = largest value of each window, NaN where it holds one. argmax (N,OH,OW,C), may be null: its
// position kh * kernel_w + kw, the first of equals; windows of more than 255 cells are refused
// there.
template <class T>
cudaError_t max_pool_forward(T* y, std::uint8_t* argmax, const T* x, ImageShape shape,
                             Window2D window, cudaStream_t stream);

// dx(N,H,W,C) = sum of dy over the windows whose winner the cell is. Overwrites. relu_output, may
// be null, is the forward pass's y: windows with y <= 0 give nothing (a relu before the pooling).
template <class T>
cudaError_t max_pool_backward(T* dx, const T* dy, const std::uint8_t* argmax, const T* relu_output,
                              ImageShape shape, Window2D window, cudaStream_t stream);

// y = mean of each window's cells inside the image (padding is not counted; 0 where there are
// none).
template <class T>
cudaError_t average_pool_forward(T* y, const T* x, ImageShape shape, Window2D window,
                                 cudaStream_t stream);
template <class T>
cudaError_t average_pool_backward(T* dx, const T* dy, ImageShape shape, Window2D window,
                                  cudaStream_t stream);

// y(N,C) = mean over H and W.
template <class T>
cudaError_t global_average_pool_forward(T* y, const T* x, ImageShape shape, cudaStream_t stream);
// dx(N,H,W,C) = dy(N,C) / (H W). Overwrites.
template <class T>
cudaError_t global_average_pool_backward(T* dx, const T* dy, ImageShape shape, cudaStream_t stream);

}  // namespace strata::kernels
