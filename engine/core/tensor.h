// A view of a dense row-major tensor. Owns nothing; the memory is an arena's or the caller's.
#pragma once

#include <span>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"

namespace strata {

struct Tensor {
    void* data = nullptr;  // on the device that the owner says
    DType dtype = DType::float32;
    Shape shape;

    std::int64_t elements() const { return shape.elements(); }
    std::size_t bytes() const { return static_cast<std::size_t>(elements()) * size_of(dtype); }

    template <typename T>
    T* as() const {
        return static_cast<T*>(data);
    }
    template <typename T>
    std::span<T> span() const {
        return {as<T>(), static_cast<std::size_t>(elements())};
    }
};

}  // namespace strata
