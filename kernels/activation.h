// Element-wise activation functions: forward, backward, and bias with activation in one pass.
// Called by the CUDA backend alone. Definitions and defaults are Keras 3's.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/storage.h"

namespace strata::kernels {

// The order is shared with the engine's enumeration, which casts to this one.
enum class ActivationKind : std::uint8_t {
    linear,
    relu,
    sigmoid,
    tanh,
    softplus,
    softsign,
    elu,
    selu,
    exponential,
    leaky_relu,
    relu6,
    silu,
    hard_silu,
    gelu,
    gelu_tanh,
    hard_sigmoid,
    mish,
    celu,
    hard_tanh,
    hard_shrink,
    soft_shrink,
    tanh_shrink,
    squareplus,
    sparse_plus,
    log_sigmoid,
    sparse_sigmoid
};
inline constexpr int activation_kinds = 26;

struct Activation {
    ActivationKind kind = ActivationKind::linear;
    float alpha = 1.0F;  // elu, celu: scale of the negative part; leaky_relu: its slope; > 0
};

// True where f'(x) follows from y = f(x) alone, so that a backward pass may be given y instead of
// x.
constexpr bool derivative_from_output(ActivationKind kind) {
    switch (kind) {
        case ActivationKind::silu:
        case ActivationKind::hard_silu:
        case ActivationKind::gelu:
        case ActivationKind::gelu_tanh:
        case ActivationKind::mish:
        case ActivationKind::tanh_shrink:
            return false;
        default:
            return true;
    }
}

// y = f(x), n elements; y may be x.
template <class T>
cudaError_t activation_forward(T* y, const T* x, std::int64_t n, Activation activation,
                               cudaStream_t stream);

// y(r,c) = f(x(r,c) + bias(c)), row-major (rows, cols); bias, of T or float, may be null; y may be
// x.
template <class T, class Bias>
cudaError_t bias_activation_forward(T* y, const T* x, const Bias* bias, std::int64_t rows,
                                    std::int64_t cols, Activation activation, cudaStream_t stream);

// What the forward pass kept for the backward pass.
enum class Saved : std::uint8_t { input, output };

// dx = dy * f'(x), n elements; overwrites; dx may be dy. `saved` is x, or y where Saved::output;
// cudaErrorInvalidValue where the derivative does not follow from the output.
template <class T>
cudaError_t activation_backward(T* dx, const T* dy, const T* saved, Saved what, std::int64_t n,
                                Activation activation, cudaStream_t stream);

}  // namespace strata::kernels
