// Reductions over the rows of a row-major matrix: tiles of 32 columns, rows cut into chunks that
// blocks sum on their own. Partial results go to a workspace and are added in the order of the
// chunks, without atomics: the result does not depend on which block ends first.
#pragma once

#include <initializer_list>

#include "kernels/common/reduce.h"
#include "kernels/common/storage.h"

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

// Whether Size neighbouring columns of T can be read in one access in every row.
template <int Size, class T>
bool has_packs(std::int64_t cols, std::initializer_list<const void*> arrays) {
    bool wide = cols % Size == 0;
    for (const void* array : arrays) wide = wide && is_aligned(array, Size * sizeof(T));
    return wide;
}

// Columns that a thread sums up: of every type as many, so that all add in one order.
inline constexpr int columns_together = pack_size<float>;

// A block's threads over a tile of 32 columns, Size neighbouring columns each: a warp reads whole
// lines of 128 bytes, of one row or of several.
template <int Size>
struct TilePacks {
    static constexpr int packs = tile_cols / Size;
    static constexpr int rows = block_size / packs;
    using Sums = Pack<float, Size>;
    // Of the columns' sums over the block's threads.
    struct alignas(32) Scratch {
        float lines[rows][tile_cols];
        float totals[tile_rows][tile_cols];
    };

    __device__ static int thread() {
        return static_cast<int>(threadIdx.y) * tile_cols + static_cast<int>(threadIdx.x);
    }
    __device__ static int row() { return thread() / packs; }
    __device__ static int first_column() { return thread() % packs * Size; }

    // Of an array (cols): what belongs to the thread's columns.
    __device__ static Sums of_columns(const float* values, const ColumnPlan& plan) {
        const std::int64_t col = std::int64_t{blockIdx.x} * tile_cols + first_column();
        return col < plan.cols ? load_floats<Size>(values, col / Size) : Sums{};
    }
    // visit(row, first column) for the thread's rows of the chunk, none where it has no columns.
    template <class Visit>
    __device__ static void for_each(const ColumnPlan& plan, Visit visit) {
        const std::int64_t begin = std::int64_t{blockIdx.y} * plan.rows_per_chunk;
        const std::int64_t end = begin + plan.rows_per_chunk;
        const std::int64_t col = std::int64_t{blockIdx.x} * tile_cols + first_column();
        if (col >= plan.cols) return;
        for (std::int64_t r = begin + row(); r < (end < plan.rows ? end : plan.rows); r += rows)
            visit(r, col);
    }

    // Sum over the threads of column threadIdx.x of the tile, in every thread that has this x. All
    // threads of the block take part; the scratch is free again on return.
    __device__ static float total(const Sums& sums, Scratch& scratch) {
        store_pack(&scratch.lines[row()][first_column()], 0, sums);
        __syncthreads();
        float sum = 0.0F;
        for (int r = static_cast<int>(threadIdx.y); r < rows; r += tile_rows)
            sum += scratch.lines[r][threadIdx.x];
        scratch.totals[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        sum = 0.0F;
        for (int r = 0; r < tile_rows; ++r) sum += scratch.totals[r][threadIdx.x];
        __syncthreads();
        return sum;
    }
};

// The column that total() gives a thread, and whether the thread writes it.
__device__ inline std::int64_t tile_column() {
    return std::int64_t{blockIdx.x} * tile_cols + threadIdx.x;
}
__device__ inline bool writes_column(const ColumnPlan& plan) {
    return threadIdx.y == 0 && tile_column() < plan.cols;
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
    const std::int64_t col = tile_column();
    double sum = 0.0;
    if (col < plan.cols) {
        for (std::int64_t k = threadIdx.y; k < plan.chunks; k += tile_rows) {
            sum += partial[k * plan.cols + col];
        }
    }
    return tile_column_sum(sum, tile);
}

}  // namespace strata::kernels
