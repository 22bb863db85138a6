// What happens to gradients and weights between the backward pass and the next step: accumulation,
// clipping, the optimizer's update, the moving average of the weights. All over flat arrays.
// Learning rate, update number t (from 1), gradient_scale, clip_limit c and weight_decay come from
// StepScalars.
#pragma once

#include <cstdint>
#include <vector>

namespace strata::ops {

// What an update does with the scaled gradient g' = g * gradient_scale before it uses it:
// value: clamps each element to [-c, c]; global_norm: g' * min(1, c / (sqrt(norm) *
// gradient_scale)). A limit of 0 leaves the gradient as it is.
enum class ClipKind : std::uint8_t { none, value, global_norm };

// Both updates: `norm`, the last input, is the float64 sum of squares of g. Where it is Inf or NaN
// nothing is written, which skips the step. Before the update w -= lr * weight_decay * w.

// inputs {w, g, [velocity], norm}; updated in place: w (and velocity). Keras: v = momentum v - lr
// g'; w += v, or with nesterov w += momentum v - lr g'; without momentum w -= lr g'.
struct SgdUpdate {
    float momentum = 0.0F;
    bool nesterov = false;
    ClipKind clip = ClipKind::none;
};

// inputs {w, g, m, v, norm}; updated in place: w, m, v. Kingma and Ba, arXiv 1412.6980, in Keras's
// form: alpha = lr sqrt(1 - b2^t) / (1 - b1^t); w -= alpha m / (sqrt(v) + epsilon).
struct AdamUpdate {
    float beta_1 = 0.9F;
    float beta_2 = 0.999F;
    float epsilon = 1e-7F;
    ClipKind clip = ClipKind::none;
};

// inputs {x flat, [loss float64 ()]}; outputs {sum of squares float64 ()}: accumulated in float64;
// Inf or NaN in x or the loss shows in it.
struct SumOfSquares {};

// inputs {acc float32, g float32, bfloat16 or float16}, or both float64: sums of losses; updated in
// place: acc. The first micro-batch of a window (StepScalars::first_in_window) overwrites acc,
// later ones add to it.
struct AccumulateGradient {};

// A variable's place in the flat array, in elements.
struct Segment {
    std::int64_t offset = 0;
    std::int64_t count = 0;
};

// inputs {g}; updated in place: each segment g *= min(1, c / (|segment| * gradient_scale)), norms
// in float64. A segment whose norm is 0, Inf or NaN, and every one where c is 0, stays as it is.
struct ClipByVariableNorm {
    std::vector<Segment> segments;
};

// inputs {average, w, norm}; updated in place: average. At the first update average = w, then
// average = momentum average + (1 - momentum) w. Nothing is written where norm is Inf or NaN.
struct EmaUpdate {
    float momentum = 0.99F;
};

}  // namespace strata::ops
