// Reductions over the rows of a row-major matrix: tiles of some columns, rows cut into chunks that
// blocks sum on their own. Partial results go to a workspace and are added in the order of the
// chunks, without atomics: the result does not depend on which block ends first.
#pragma once

#include <initializer_list>

#include "kernels/common/reduce.h"
#include "kernels/common/storage.h"

namespace strata::kernels {

// Columns of a tile: all of a narrow matrix, so that a block reads whole rows one after another;
// of a wide one at most 64, in whole packs. Of 16-bit types these are lines of 128 bytes.
inline constexpr int widest_tile = 64;
constexpr int columns_of_tile(std::int64_t cols) {
    if (cols <= widest_tile) return cols > 0 ? static_cast<int>(cols) : 1;
    constexpr std::int64_t together = 8;  // the most of one access
    const std::int64_t equal = ceil_divide(cols, ceil_divide(cols, widest_tile));
    return static_cast<int>(ceil_divide(equal, together) * together);
}

struct ColumnPlan {
    std::int64_t rows, cols;
    std::int64_t rows_per_chunk;
    std::int64_t chunks;  // at least 1
    int tile = columns_of_tile(cols);

    LaunchShape tiles() const {
        return {dim3(static_cast<unsigned>(ceil_divide(cols, tile)), static_cast<unsigned>(chunks)),
                dim3(block_size)};
    }
    // For the chunks' results: where there are many, more threads share those of a column. Eight
    // columns are a sector of 32 bytes.
    LaunchShape columns() const {
        constexpr std::int64_t few_chunks = 64;
        const dim3 block = chunks <= few_chunks ? dim3(warp_size, 8) : dim3(8, 128);
        return {dim3(static_cast<unsigned>(ceil_divide(cols, block.x))), block};
    }
};

// Blocks enough for the largest GPU a few times over, of at least 8192 elements and 128 rows: the
// results of a chunk are then small beside it. Where that makes chunks of very many rows there are
// more blocks, as far as the grid allows: long additions in float32 lose digits.
inline ColumnPlan plan_columns(std::int64_t rows, std::int64_t cols) {
    constexpr std::int64_t most_blocks = 2048;
    constexpr std::int64_t fewest_elements = 8192;
    const std::int64_t tile = columns_of_tile(cols);
    const std::int64_t tiles = ceil_divide(cols, tile);
    const std::int64_t most_chunks = tiles > 0 && tiles < most_blocks ? most_blocks / tiles : 1;
    const std::int64_t fewest_rows =
        ceil_divide(fewest_elements, cols < widest_tile ? tile : widest_tile);
    constexpr std::int64_t most_rows = 2048;
    constexpr std::int64_t largest_grid = 65535;  // in y
    std::int64_t even = ceil_divide(rows, most_chunks);
    if (even > most_rows) even = most_rows;
    if (even < ceil_divide(rows, largest_grid)) even = ceil_divide(rows, largest_grid);
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

// Rows that a thread reads before it adds the first of them up: as many as are about 64 bytes of
// all arrays in float32. More would cost registers, and with them more threads that read.
template <int Size, int Arrays = 1>
inline constexpr int rows_together = [] {
    constexpr int rows = 64 / (Size * static_cast<int>(sizeof(float)) * Arrays);
    return rows < 2 ? 2 : rows > 8 ? 8 : rows;
}();

// Adds `count` lines of `width` numbers in shared memory up into the first, in an order of their
// number alone. All threads of the block take part.
template <class T>
__device__ void add_lines(T* lines, int count, int width, int thread, int threads) {
    constexpr int together = 4;
    while (count > 1) {
        const int left = (count + together - 1) / together;
        __syncthreads();
        for (int i = thread; i < left * width; i += threads) {
            T sum = lines[i];
            for (int j = i + left * width; j < count * width; j += left * width) sum += lines[j];
            lines[i] = sum;
        }
        count = left;
    }
    __syncthreads();
}

// A block's threads over a tile, Size neighbouring columns each, of as many rows as there are
// threads for.
template <int Size>
class TilePacks {
public:
    using Sums = Pack<float, Size>;
    // Of the columns' sums over the block's threads.
    struct alignas(32) Scratch {
        float lines[block_size * Size];
    };

    __device__ explicit TilePacks(const ColumnPlan& plan)
        : plan_(plan),
          across_(plan.tile / Size),
          rows_(block_size / across_),
          row_(thread() / across_) {}

    __device__ static int thread() { return static_cast<int>(threadIdx.x); }
    __device__ bool has_first_row() const { return row_ == 0; }
    __device__ int first_column() const { return (thread() - row_ * across_) * Size; }

    // Of an array (cols): what belongs to the thread's columns.
    __device__ Sums of_columns(const float* values) const {
        const std::int64_t col = tile_begin() + first_column();
        return col < plan_.cols ? load_floats<Size>(values, col / Size) : Sums{};
    }
    // visit(what load(place) gives for Together rows, their count) for the thread's rows of the
    // chunk, none where it has no columns. The last ones may be fewer, and zeros behind them.
    template <int Together, class Load, class Visit>
    __device__ void for_each(Load load, Visit visit) const {
        const std::int64_t begin = std::int64_t{blockIdx.y} * plan_.rows_per_chunk;
        const std::int64_t last = begin + plan_.rows_per_chunk;
        const std::int64_t end = last < plan_.rows ? last : plan_.rows;
        const std::int64_t col = tile_begin() + first_column();
        if (row_ >= rows_ || col >= plan_.cols) return;
        const std::int64_t step = rows_ * plan_.cols;
        std::int64_t r = begin + row_;
        std::int64_t place = r * plan_.cols + col;
        decltype(load(place)) values[Together];
        for (; r + (Together - 1) * rows_ < end; r += Together * rows_) {
            STRATA_UNROLL
            for (int k = 0; k < Together; ++k) values[k] = load(place + k * step);
            visit(values, Together);
            place += Together * step;
        }
        if (r >= end) return;
        int count = 0;
        STRATA_UNROLL
        for (int k = 0; k < Together; ++k) {
            const bool exists = r + k * rows_ < end;
            values[k] = exists ? load(place + k * step) : decltype(load(place)){};
            count += exists ? 1 : 0;
        }
        visit(values, count);
    }
    // visit(what load(place) gives) for each of these rows.
    template <int Together, class Load, class Visit>
    __device__ void for_each_row(Load load, Visit visit) const {
        for_each<Together>(load, [&](const auto& values, int count) {
            STRATA_UNROLL
            for (int k = 0; k < Together; ++k)
                if (k < count) visit(values[k]);
        });
    }

    // Sum over the threads of column thread() of the tile, in the threads that have one. All
    // threads of the block take part; the scratch is free again on return.
    __device__ float total(const Sums& sums, Scratch& scratch) const {
        store_pack(scratch.lines, thread(), sums);
        add_lines(scratch.lines, rows_, plan_.tile, thread(), block_size);
        const float sum = scratch.lines[thread()];
        __syncthreads();
        return sum;
    }
    // The column that total() gives a thread, and whether the thread writes it.
    __device__ std::int64_t column() const { return tile_begin() + thread(); }
    __device__ bool writes_column() const { return thread() < plan_.tile && column() < plan_.cols; }

private:
    __device__ std::int64_t tile_begin() const { return std::int64_t{blockIdx.x} * plan_.tile; }

    const ColumnPlan& plan_;
    int across_, rows_, row_;
};

// The column of a thread of ColumnPlan::columns(), and whether the thread writes it.
__device__ inline std::int64_t chunks_column() {
    return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ inline bool writes_chunks_column(const ColumnPlan& plan) {
    return threadIdx.y == 0 && chunks_column() < plan.cols;
}

// A number of each thread of ColumnPlan::columns(), and their sums for each column.
inline constexpr int most_chunk_threads = 1024;
using ChunkScratch = double[most_chunk_threads];

// The sum of `value` for the thread's column. All threads of the block take part; the scratch is
// free again on return.
__device__ inline double column_total(double value, ChunkScratch& scratch) {
    const int width = static_cast<int>(blockDim.x);
    const int lines = static_cast<int>(blockDim.y);
    const int thread = static_cast<int>(threadIdx.y) * width + static_cast<int>(threadIdx.x);
    scratch[thread] = value;
    add_lines(scratch, lines, width, thread, width * lines);
    const double sum = scratch[threadIdx.x];
    __syncthreads();
    return sum;
}

// visit(chunk, what load(place) gives) for the thread's chunks of its column, place being where an
// array (chunks, cols) has it; some are read before the first of them is visited.
template <class Load, class Visit>
__device__ void for_each_chunk(const ColumnPlan& plan, Load load, Visit visit) {
    constexpr int together = 4;
    const std::int64_t col = chunks_column();
    if (col >= plan.cols) return;
    const auto step = static_cast<int>(blockDim.y);
    for (std::int64_t chunk = threadIdx.y; chunk < plan.chunks; chunk += together * step) {
        decltype(load(col)) values[together];
        STRATA_UNROLL
        for (int k = 0; k < together; ++k)
            if (chunk + k * step < plan.chunks)
                values[k] = load((chunk + k * step) * plan.cols + col);
        STRATA_UNROLL
        for (int k = 0; k < together; ++k)
            if (chunk + k * step < plan.chunks) visit(chunk + k * step, values[k]);
    }
}

// Sum over the chunks of partial (chunks, cols), in float64, for the thread's column.
__device__ inline double chunk_sum(const float* partial, const ColumnPlan& plan,
                                   ChunkScratch& scratch) {
    double sum = 0.0;
    for_each_chunk(
        plan, [&](std::int64_t place) { return partial[place]; },
        [&](std::int64_t, float value) { sum += double{value}; });
    return column_total(sum, scratch);
}

}  // namespace strata::kernels
