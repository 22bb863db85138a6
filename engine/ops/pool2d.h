// Pooling on images (N,H,W,C). All operands but argmax are of one compute type: float32, bfloat16
// or float16; sums are float32 and rounded once.
#pragma once

#include "engine/ops/conv2d.h"

namespace strata::ops {

enum class PoolKind : std::uint8_t { max, average };  // average: padding is not counted (Keras)

// inputs {x}; outputs {y} and, for max in training, {y, argmax}: uint8 (N,OH,OW,C), the winner's
// position kh * kernel_w + kw in its window (the first of equals); windows of more than 255 cells
// are refused there.
struct Pool2D {
    PoolKind kind = PoolKind::max;
    Window2D window;
};

// inputs {dy, argmax} (max) or {dy} (average); outputs {dx}. Overwrites. Where relu_mask is set by
// the plan, the inputs are {dy, argmax, y} and dx is 0 wherever y <= 0: the backward pass of a relu
// before the pooling.
struct Pool2DBackward {
    PoolKind kind = PoolKind::max;
    Window2D window;
    bool relu_mask = false;
};

// inputs {x (N,H,W,C)}; outputs {y (N,C)}: the mean over H and W.
struct GlobalAveragePool2D {};
// inputs {dy (N,C)}; outputs {dx (N,H,W,C)}.
struct GlobalAveragePool2DBackward {};

}  // namespace strata::ops
