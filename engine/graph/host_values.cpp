#include "engine/graph/host_values.h"

#include <algorithm>
#include <cmath>

#include "engine/core/half.h"

namespace strata::graph {
namespace {

// Calls f with the values as their type.
template <typename F>
auto visit_floats(const void* values, DType dtype, F&& f) {
    if (dtype == DType::bfloat16) return f(static_cast<const BFloat16*>(values));
    if (dtype == DType::float16) return f(static_cast<const Float16*>(values));
    return f(static_cast<const float*>(values));
}

double as_double(double x) {
    return x;
}
template <typename T>
double as_double(T x) {
    return static_cast<double>(to_float(x));
}

template <typename T>
bool finite(const T* values, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i)
        if (!std::isfinite(as_double(values[i]))) return false;
    return true;
}

}  // namespace

bool all_finite(const void* values, DType dtype, std::int64_t n) {
    if (dtype == DType::float64) return finite(static_cast<const double*>(values), n);
    if (dtype != DType::float32 && dtype != DType::bfloat16 && dtype != DType::float16) return true;
    return visit_floats(values, dtype, [n](const auto* x) { return finite(x, n); });
}

void mark_alive_columns(const void* values, DType dtype, std::int64_t rows,
                        std::vector<bool>& alive) {
    const auto columns = static_cast<std::int64_t>(alive.size());
    visit_floats(values, dtype, [&](const auto* x) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                if (to_float(x[r * columns + c]) != 0.0F) alive[static_cast<std::size_t>(c)] = true;
    });
}

std::int64_t dead_columns(const void* values, DType dtype, std::int64_t rows,
                          std::int64_t columns) {
    std::vector<bool> alive(static_cast<std::size_t>(columns), false);
    mark_alive_columns(values, dtype, rows, alive);
    return std::count(alive.begin(), alive.end(), false);
}

}  // namespace strata::graph
