// What the executor asks of values that it copied to the host.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/dtype.h"

namespace strata::graph {

// Whether each of n values is finite; true for types that are no floats.
bool all_finite(const void* values, DType dtype, std::int64_t n);

// Sets alive[c] where column c of a (rows, alive.size()) matrix holds anything but zeros. Float
// types.
void mark_alive_columns(const void* values, DType dtype, std::int64_t rows,
                        std::vector<bool>& alive);

// Columns of a (rows, columns) matrix that hold nothing but zeros. Float types.
std::int64_t dead_columns(const void* values, DType dtype, std::int64_t rows, std::int64_t columns);

}  // namespace strata::graph
