// A float64 sum over rows, cut in the same way each time: losses and metrics.
#pragma once

#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"

namespace strata::cpu {

// Sum of row(r) over [0, rows). row: a STRATA_BODY lambda. cost: of a row, as in for_range.
template <typename Row>
double sum_of_rows(int threads, std::int64_t rows, std::int64_t cost, const Row& row) {
    constexpr int most_parts = 64;
    const int parts = parts_of(rows * cost, parallel_grain, std::min(threads, most_parts));
    double sums[most_parts];
    double* const partial = sums;
    for_parts(parts, [&](int part) {
        const std::int64_t begin = rows * part / parts;
        const std::int64_t end = rows * (part + 1) / parts;
        simd([=]() STRATA_BODY {
            double sum = 0.0;
            for (std::int64_t r = begin; r < end; ++r) sum += row(r);
            partial[part] = sum;
        });
    });
    double total = 0.0;
    for (int part = 0; part < parts; ++part) total += sums[part];
    return total;
}

}  // namespace strata::cpu
