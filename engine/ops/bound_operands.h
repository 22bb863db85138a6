// The operands of a bound kernel, by number and type; the backends add what their loops need.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/ops/request.h"

namespace strata::ops {

struct BoundOperands {
    std::vector<Tensor> inputs, outputs;
    void* workspace = nullptr;

    void assign(Tensors new_inputs, Tensors new_outputs) {
        inputs.assign(new_inputs.begin(), new_inputs.end());
        outputs.assign(new_outputs.begin(), new_outputs.end());
    }

    template <typename T = float>
    const T* in(std::size_t i) const {
        return inputs[i].as<T>();
    }
    template <typename T = float>
    T* out(std::size_t i) const {
        return outputs[i].as<T>();
    }
    // For operands that are updated in place, and listed as inputs.
    template <typename T = float>
    T* inout(std::size_t i) const {
        return inputs[i].as<T>();
    }
};

}  // namespace strata::ops
