// Optimizer updates over the flat array of all trainable variables: one launch a step.
// Learning rate, update number t (from 1) and gradient_scale come from StepScalars; g = gradient *
// gradient_scale.
#pragma once

namespace strata::ops {

// inputs {w, g, [velocity]}; updated in place: w (and velocity). Keras: v = momentum v - lr g; w +=
// v, or with nesterov w += momentum v - lr g; without momentum w -= lr g.
struct SgdUpdate {
    float momentum = 0.0F;
    bool nesterov = false;
};

// inputs {w, g, m, v}; updated in place: w, m, v. Kingma and Ba, arXiv 1412.6980, in Keras's form:
// alpha = lr sqrt(1 - b2^t) / (1 - b1^t); w -= alpha m / (sqrt(v) + epsilon).
struct AdamUpdate {
    float beta_1 = 0.9F;
    float beta_2 = 0.999F;
    float epsilon = 1e-7F;
};

// inputs {x flat}; outputs {sum of squares float64 ()}: accumulated in float64; Inf or NaN in x
// shows in it.
struct SumOfSquares {};

}  // namespace strata::ops
