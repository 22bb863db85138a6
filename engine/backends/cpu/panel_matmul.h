// A matrix product of 16-bit operands in float32, for machines without instructions for them.
#pragma once

#include "engine/backends/cpu/kernel.h"
#include "engine/ops/matmul_operands.h"

namespace strata::cpu {

// Throws Error{internal} where oneDNN reports a failure.
void multiply(const ops::Matmul& op, const ops::MatmulSizes& sizes, const float* a, const float* b,
              float* c, int threads);
void add_bias(const ops::MatmulSizes& sizes, const float* bias, float* c);

KernelPtr panel_matmul(const Request& request, const ops::MatmulSizes& sizes,
                       const ops::Matmul& op);

}  // namespace strata::cpu
