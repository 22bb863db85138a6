// Activation functions, Keras 3's definitions and defaults.
// Row-wise ones (softmax, log_softmax, sparsemax) work over the last axis. All operands are of one
// compute type (float32, bfloat16, float16); each element is computed in float32 and rounded once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata::ops {

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
    sparse_sigmoid,
    softmax,
    log_softmax,
    sparsemax  // row-wise
};

struct Activation {
    ActivationKind kind = ActivationKind::linear;
    float alpha =
        1.0F;  // elu, celu: scale of the negative part; leaky_relu: its slope (Keras: 0.2)
};

// Keras's names ("relu", "swish" = "silu", "hard_swish" = "hard_silu"). Throws
// Error{invalid_argument} that names the nearest one.
Activation activation_from_name(std::string_view name);
const char* name_of(ActivationKind kind);
const std::vector<std::string>& activation_names();  // canonical, in menu order

bool is_row_wise(ActivationKind kind);
// True where the derivative follows from y alone (relu, sigmoid, tanh, ...), so that x need not be
// kept and the activation may run in place, or inside the op before it.
bool derivative_from_output(ActivationKind kind);

// y = f(x). inputs {x}, outputs {y}, same shape; y may be x.
struct ActivationForward {
    Activation activation;
};

// dx = dy * f'. inputs {dy, y} where derivative_from_output, else {dy, x} (row-wise: {dy, y});
// outputs {dx}; dx may be dy.
struct ActivationBackward {
    Activation activation;
};

}  // namespace strata::ops
