// 2-D convolution on images (N,H,W,C) with kernels (kh,kw,C/groups,F), Keras's layout.
#pragma once

#include "engine/ops/activation.h"

namespace strata::ops {

// x, kernel and dy are of one compute type T: float32, bfloat16 or float16. The outputs and bias
// are each of T or float32. Sums are float32 and rounded once, at the output.

struct Window2D {
    int kernel_h = 1, kernel_w = 1;
    int stride_h = 1, stride_w = 1;
    int dilation_h = 1, dilation_w = 1;
    int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
};

// inputs {x (N,H,W,C), kernel, [bias (F)]}; outputs {y (N,OH,OW,F)}. y = f(conv(x) + bias).
struct Conv2D {
    Window2D window;
    int groups = 1;
    bool has_bias = false;
    Activation
        activation;  // element-wise with derivative_from_output; put there by the plan's fusion
};

// inputs {dy, kernel}; outputs {dx}. Overwrites.
struct Conv2DBackwardData {
    Window2D window;
    int groups = 1;
};

// inputs {x, dy}; outputs {dkernel} or {dkernel, dbias}. Overwrites.
struct Conv2DBackwardWeights {
    Window2D window;
    int groups = 1;
    bool has_bias = false;
};

}  // namespace strata::ops
