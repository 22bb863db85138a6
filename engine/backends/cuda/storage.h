// From the engine's types to the kernels' at compile time. Used by the CUDA backend's op families.
#pragma once

#include <utility>

#include "engine/core/dtype.h"
#include "kernels/storage.h"

namespace strata::cuda {

// Stands for a type, as an argument.
template <typename T>
struct Stored {
    using Type = T;
};

// call(Stored<T>{}) with the kernels' type for a compute type; what it returns.
template <typename Call>
auto with_storage(DType type, Call&& call) {
    switch (type) {
        case DType::bfloat16:
            return call(Stored<kernels::BFloat16>{});
        case DType::float16:
            return call(Stored<kernels::Float16>{});
        default:
            return call(Stored<float>{});
    }
}

}  // namespace strata::cuda
