// Sums over the rows of a matrix, one for each column: bias gradients and batch normalisation.
#pragma once

#include <algorithm>

#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"

namespace strata::cpu {

// Number of parts that the rows are cut into, and the workspace that column_sums needs for them.
inline int column_parts(int threads, std::int64_t rows, std::int64_t columns) {
    return static_cast<int>(std::min<std::int64_t>(
        parts_of(rows * columns * 4, parallel_grain, threads), std::max<std::int64_t>(rows, 1)));
}

template <std::size_t Sums>
std::size_t column_sums_bytes(int threads, std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(column_parts(threads, rows, columns)) * Sums *
           static_cast<std::size_t>(columns) * sizeof(float);
}

// out[i]: the sum of what the parts hold for i, parts in order.
inline void add_parts(int parts, std::int64_t size, const float* workspace, float* out) {
    for (std::int64_t i = 0; i < size; ++i) {
        float total = 0.0F;
        for (int part = 0; part < parts; ++part) total += workspace[part * size + i];
        out[i] = total;
    }
}

// row(r, i, s) adds to s[0 .. Sums) what row r, column i gives; the totals come to out[k * columns
// + i]. Rows are summed in float32 in blocks of 64, blocks in order. workspace: column_sums_bytes.
template <std::size_t Sums, typename Row>
void column_sums(int threads, std::int64_t rows, std::int64_t columns, float* workspace,
                 const Row& row, float* out) {
    const int parts = column_parts(threads, rows, columns);
    for_parts(parts, [&](int part) {
        const std::int64_t begin = rows * part / parts;
        const std::int64_t end = rows * (part + 1) / parts;
        float* const sums = workspace + part * static_cast<std::int64_t>(Sums) * columns;
        simd([=]() STRATA_BODY {
            constexpr std::int64_t lanes = 16;
            for (std::int64_t first = 0; first < columns; first += lanes) {
                const std::int64_t width = std::min(lanes, columns - first);
                float total[Sums][lanes] = {};
                for (std::int64_t block = begin; block < end; block += 64) {
                    const std::int64_t block_end = std::min(end, block + 64);
                    float sum[Sums][lanes] = {};
                    if (width == lanes) {
                        for (std::int64_t r = block; r < block_end; ++r) {
#pragma omp simd
                            for (std::int64_t l = 0; l < lanes; ++l) {
                                float s[Sums] = {};
                                row(r, first + l, s);
                                for (std::size_t k = 0; k < Sums; ++k) sum[k][l] += s[k];
                            }
                        }
                    } else {
                        for (std::int64_t r = block; r < block_end; ++r) {
                            for (std::int64_t l = 0; l < width; ++l) {
                                float s[Sums] = {};
                                row(r, first + l, s);
                                for (std::size_t k = 0; k < Sums; ++k) sum[k][l] += s[k];
                            }
                        }
                    }
                    for (std::size_t k = 0; k < Sums; ++k)
                        for (std::int64_t l = 0; l < lanes; ++l) total[k][l] += sum[k][l];
                }
                for (std::size_t k = 0; k < Sums; ++k)
                    for (std::int64_t l = 0; l < width; ++l)
                        sums[static_cast<std::int64_t>(k) * columns + first + l] = total[k][l];
            }
        });
    });
    add_parts(parts, static_cast<std::int64_t>(Sums) * columns, workspace, out);
}

}  // namespace strata::cpu
