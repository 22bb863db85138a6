// Ops on 16-bit operands by way of their float32 kernels: operands are converted, and the results
// rounded once. Used by the families of ops that have no kernel of their own for such operands.
#pragma once

#include <functional>

#include "engine/backends/cpu/kernel.h"

namespace strata::cpu {

// Whether an operand is bfloat16 or float16.
bool has_16_bit(const Request& request);

// What the op computes without looking at the rest of the operands.
enum class SliceUnit { element, row, sample };

using MakeKernel = std::function<KernelPtr(const Request&)>;

// Slice by slice, each small enough to stay in a cache: for ops whose operands, all of one type but
// for bytes, are cut alike. `make` makes the kernel for float32 operands.
KernelPtr sliced_kernel(const Request& request, SliceUnit unit, const MakeKernel& make);

// All operands at once, in the workspace: for the other ops.
KernelPtr widened_kernel(const Request& request, const MakeKernel& make);

template <typename Op>
KernelPtr sliced_kernel(const Request& request, SliceUnit unit, const Op& op) {
    const MakeKernel make = [&op](const Request& slice) { return make_kernel(slice, op); };
    return sliced_kernel(request, unit, make);
}

template <typename Op>
KernelPtr widened_kernel(const Request& request, const Op& op) {
    const MakeKernel make = [&op](const Request& wide) { return make_kernel(wide, op); };
    return widened_kernel(request, make);
}

// The operands as they would be in float32; bytes stay.
std::vector<Tensor> as_float32(Tensors tensors);

}  // namespace strata::cpu
