// Reductions over the rows of a row-major matrix: tiles of 32 columns, rows cut into chunks that
// blocks sum on their own. Partial results go to a workspace and are added in the order of the
// chunks, without atomics: the result does not depend on which block ends first.
#pragma once

#include "kernels/common/reduce.h"

namespace strata::kernels {

inline constexpr int tile_cols =
    warp_size;  // a warp reads 32 neighbouring columns: one 128-byte line
inline constexpr int tile_rows = block_size / tile_cols;

struct ColumnPlan {
    std::int64_t rows, cols;
    std::int64_t rows_per_chunk;
    std::int64_t chunks;  // at least 1

    LaunchShape tiles() const {
        return {dim3(static_cast<unsigned>(ceil_divide(cols, tile_cols)),
                     static_cast<unsigned>(chunks)),
                dim3(tile_cols, tile_rows)};
    }
    LaunchShape columns() const {
        return {dim3(static_cast<unsigned>(ceil_divide(cols, tile_cols))),
                dim3(tile_cols, tile_rows)};
    }
};

inline ColumnPlan plan_columns(std::int64_t rows, std::int64_t cols) {
    constexpr std::int64_t most_chunks = 256;
    constexpr std::int64_t fewest_rows = 128;
    const std::int64_t even = ceil_divide(rows, most_chunks);
    const std::int64_t per_chunk = even > fewest_rows ? even : fewest_rows;
    const std::int64_t chunks = ceil_divide(rows, per_chunk);
    return {rows, cols, per_chunk, chunks > 0 ? chunks : 1};
}

// A thread's place in a tile of a ColumnPlan.
struct TileThread {
    std::int64_t col;
    std::int64_t first_row, end_row;  // of the chunk; the thread takes every tile_rows-th
    bool has_column;
};

__device__ inline TileThread tile_thread(const ColumnPlan& plan) {
    const std::int64_t begin = std::int64_t{blockIdx.y} * plan.rows_per_chunk;
    const std::int64_t end = begin + plan.rows_per_chunk;
    const std::int64_t col = std::int64_t{blockIdx.x} * tile_cols + threadIdx.x;
    return {col, begin + threadIdx.y, end < plan.rows ? end : plan.rows, col < plan.cols};
}

// Sum of `value` over the tile's rows, for each column, in every thread. All threads of the block
// take part. tile: shared memory, free again on return.
template <class T>
__device__ T tile_column_sum(T value, T (&tile)[tile_rows][tile_cols]) {
    tile[threadIdx.y][threadIdx.x] = value;
    __syncthreads();
    T sum{0};
    for (int r = 0; r < tile_rows; ++r) sum += tile[r][threadIdx.x];
    __syncthreads();
    return sum;
}

// Sum over the chunks of partial (chunks, cols), in float64, for each column of the block's tile.
__device__ inline double chunk_sum(const float* partial, const ColumnPlan& plan,
                                   double (&tile)[tile_rows][tile_cols]) {
    const std::int64_t col = std::int64_t{blockIdx.x} * tile_cols + threadIdx.x;
    double sum = 0.0;
    if (col < plan.cols) {
        for (std::int64_t k = threadIdx.y; k < plan.chunks; k += tile_rows) {
            sum += partial[k * plan.cols + col];
        }
    }
    return tile_column_sum(sum, tile);
}

}  // namespace strata::kernels
