// Convolutions that gather their windows in shared memory, tile by tile, and multiply there:
// nothing lies in device memory but the operands and, for the kernel's gradient, sums of a few
// chunks of the positions. Called by the CUDA backend alone. Sums are float32, in an order that the
// shape alone decides; results are rounded once.
//
//   x (N,H,W,C)   kernel (kh,kw,C/groups,F)   y (N,OH,OW,F)
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/activation.h"
#include "kernels/storage.h"
#include "kernels/window.h"

namespace strata::kernels {

struct ConvShape {
    ImageShape x;
    Window2D window;
    int filters = 0, groups = 1;

    constexpr int output_h() const { return output_height(x, window); }
    constexpr int output_w() const { return output_width(x, window); }
    constexpr std::int64_t positions() const {
        return std::int64_t{x.batch} * output_h() * output_w();
    }
    constexpr int taps() const { return window.kernel_h * window.kernel_w; }
    constexpr int group_channels() const { return x.channels / groups; }
    constexpr int group_filters() const { return filters / groups; }
    constexpr std::int64_t weights() const {
        return std::int64_t{taps()} * group_channels() * filters;
    }
};

// Whether the launchers take the shape: groups divide channels and filters, nothing is empty, and
// images and windows can be counted in 31 bits. Others are refused with cudaErrorInvalidValue.
bool conv_takes(const ConvShape& shape);

// An array of the operands' type, or of float32.
struct ConvTarget {
    void* data = nullptr;
    bool is_float32 = true;
};
struct ConvBias {
    const void* data = nullptr;  // null: none
    bool is_float32 = true;
};

// The compute capability, times ten, from which `tensor_cores` may be true for an element of so
// many bytes that is float16 or not. float32 is rounded to TF32 there.
constexpr int conv_tensor_capability(bool is_float16) {
    return is_float16 ? 70 : 80;
}

// y = f(conv(x) + bias). Overwrites.
template <class T>
cudaError_t conv_forward(ConvTarget y, const T* x, const T* kernel, ConvBias bias,
                         const ConvShape& shape, Activation f, bool tensor_cores,
                         cudaStream_t stream);

// dx from dy. Overwrites.
template <class T>
cudaError_t conv_backward_data(ConvTarget dx, const T* dy, const T* kernel, const ConvShape& shape,
                               bool tensor_cores, cudaStream_t stream);

// dkernel and, where it is not null, dbias (F) = sum of dy over the positions. Overwrites.
// workspace: 16-byte aligned.
std::size_t conv_backward_weights_workspace_bytes(const ConvShape& shape);
template <class T>
cudaError_t conv_backward_weights(ConvTarget dkernel, ConvTarget dbias, const T* x, const T* dy,
                                  const ConvShape& shape, bool tensor_cores, void* workspace,
                                  cudaStream_t stream);

}  // namespace strata::kernels
