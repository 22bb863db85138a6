// A matrix product as a oneDNN primitive; matmul.cpp uses it for bfloat16.
#pragma once

#include "engine/backends/cpu/kernel.h"
#include "engine/ops/matmul_operands.h"

namespace strata::cpu {

// No empty axis. Throws Error{unsupported} where oneDNN has no fast kernel; the second gives
// nullptr there, and where the operands are not bfloat16.
KernelPtr onednn_matmul(const Request& request, const ops::MatmulSizes& sizes,
                        const ops::Matmul& op);
KernelPtr onednn_bfloat16_matmul(const Request& request, const ops::MatmulSizes& sizes,
                                 const ops::Matmul& op);

}  // namespace strata::cpu
