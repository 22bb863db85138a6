// Activations for the families that fuse them, and the row-wise ones.
#pragma once

#include "engine/backends/cpu/kernel.h"

namespace strata::cpu {

// y = f(y).
void activate_in_place(const ops::Activation& activation, float* y, std::int64_t count,
                       int threads);

KernelPtr make_row_forward(const Request& request, ops::ActivationKind kind);
KernelPtr make_row_backward(const Request& request, ops::ActivationKind kind);

}  // namespace strata::cpu
