// Matrix products: the Dense layer and its gradients.
#pragma once

#include "engine/ops/activation.h"

namespace strata::ops {

// A and B are of one compute type T: float32, bfloat16 or float16. C, db and bias are each of T or
// float32. Sums are float32 and rounded once, at the output.

// C = f(op(A) op(B) + bias). inputs {A, B} or {A, B, bias}; outputs {C}. Matrices are the tensors
// seen as (rows, last axis): A (m,k) or (k,m) when transpose_a, B (k,n) or (n,k), bias (n), C
// (m,n). Overwrites C. The activation is element-wise with derivative_from_output; put there by the
// plan's fusion.
struct Matmul {
    bool transpose_a = false;
    bool transpose_b = false;
    bool has_bias = false;
    Activation activation;
};

// Column sums: inputs {dy seen as (m,n)}, outputs {db (n)}. Overwrites.
struct BiasGradient {};

}  // namespace strata::ops
