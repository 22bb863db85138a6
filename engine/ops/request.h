// An op that a backend is asked to make, and the checks that all families share. The backends add
// their device to it; the checks of a family are in its *_operands.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "engine/core/tensor.h"

namespace strata::ops {

using Tensors = std::span<const Tensor>;

struct Request {
    const std::string& device_id;  // "cpu:0": where an error is
    const char* name;              // of the op
    Tensors inputs, outputs;

    // Throws Error{unsupported} naming op, device and `what` where `condition` is false.
    void expect(bool condition, const std::string& what) const;
    void expect_counts(std::size_t inputs_min, std::size_t inputs_max, std::size_t outputs_min,
                       std::size_t outputs_max) const;
    void expect_float32() const;  // all operands
    // All operands, but for bytes (positions), are of one compute type T; returns it.
    DType expect_one_type() const;
    // The tensors are of one compute type T, and each of `wide`, where not nullptr, is of T or
    // float32; returns T.
    DType expect_types(std::initializer_list<const Tensor*> tensors,
                       std::initializer_list<const Tensor*> wide = {}) const;
    void expect_same_size() const;  // all operands have the elements of the first input
};

// A tensor seen as (rows, last axis). A scalar is (1, 1).
struct Matrix {
    std::int64_t rows = 1, columns = 1;
};
Matrix matrix_of(const Shape& shape);

}  // namespace strata::ops
