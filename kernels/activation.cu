// Element-wise activations: the formulas stand in common/activation_formulas.h.
#include "kernels/activation.h"

#include "kernels/common/activation_formulas.h"
#include "kernels/common/map.h"

namespace strata::kernels {
namespace {

struct Activate {
    Activation f;
    __device__ void operator()(const float (&in)[1], float (&out)[1]) const {
        out[0] = activate(in[0], f);
    }
};

struct GradientFromInput {
    Activation f;
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
        out[0] = in[0] * gradient_from_input(in[1], f);
    }
};

struct GradientFromOutput {
    Activation f;
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
        out[0] = in[0] * gradient_from_output(in[1], f);
    }
};

template <class Index>
__global__ void bias_activation_kernel(float* y, const float* x, const float* bias, Index n,
                                       Index cols, Activation f) {
    const Index stride = static_cast<Index>(item_stride());
    for (Index i = static_cast<Index>(first_item()); i < n; i += stride) {
        y[i] = activate(x[i] + __ldg(bias + i % cols), f);
    }
}

}  // namespace

cudaError_t activation_forward(float* y, const float* x, std::int64_t n, Activation activation,
                               cudaStream_t stream) {
    return launch_map(MapArrays<1, 1>{{x}, {y}}, n, Activate{activation}, stream);
}

cudaError_t bias_activation_forward(float* y, const float* x, const float* bias, std::int64_t rows,
                                    std::int64_t cols, Activation activation, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    const std::int64_t n = rows * cols;
    if (bias == nullptr) return activation_forward(y, x, n, activation, stream);
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return launch(bias_activation_kernel<Index>, linear_shape(n), stream, y, x, bias,
                      static_cast<Index>(n), static_cast<Index>(cols), activation);
    });
}

cudaError_t activation_backward(float* dx, const float* dy, const float* saved, Saved what,
                                std::int64_t n, Activation activation, cudaStream_t stream) {
    const MapArrays<2, 1> arrays{{dy, saved}, {dx}};
    if (what == Saved::input) return launch_map(arrays, n, GradientFromInput{activation}, stream);
    if (!derivative_from_output(activation.kind)) return cudaErrorInvalidValue;
    return launch_map(arrays, n, GradientFromOutput{activation}, stream);
}

}  // namespace strata::kernels
