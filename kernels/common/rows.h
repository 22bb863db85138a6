// Row-wise kernels: short rows get a warp each and no barrier, long ones a block each.
#pragma once

#include "kernels/common/reduce.h"

namespace strata::kernels {

inline constexpr int warps_per_block = block_size / warp_size;

// A thread's part in the row that WarpsPerRow warps share (1, or all of the block's).
// scratch: warps_per_block values of shared memory for each type that is reduced.
template <int WarpsPerRow>
struct RowGroup {
    static_assert(WarpsPerRow == 1 || WarpsPerRow == warps_per_block);
    static constexpr int threads = WarpsPerRow * warp_size;
    static constexpr int rows_per_block = warps_per_block / WarpsPerRow;

    // Rows beyond the last belong to whole warps, which may return: only the block-wide form has
    // barriers, and there each block has a row.
    __device__ static std::int64_t row() {
        return std::int64_t{blockIdx.x} * rows_per_block + threadIdx.x / threads;
    }
    __device__ static std::int64_t first_column() { return threadIdx.x % threads; }

    template <class T, class Combine>
    __device__ static T reduce(T value, T neutral, Combine combine, T* scratch) {
        if constexpr (WarpsPerRow == 1) {
            return warp_reduce(value, combine);
        } else {
            return block_reduce<WarpsPerRow>(value, neutral, combine, scratch);
        }
    }
    template <class T>
    __device__ static T sum(T value, T* scratch) {
        return reduce(value, T{0}, Sum{}, scratch);
    }

    static LaunchShape shape(std::int64_t rows) {
        return {dim3(static_cast<unsigned>(ceil_divide(rows, rows_per_block))), dim3(block_size)};
    }
};

// Calls launcher(RowGroup<1>{}) for short rows and launcher(RowGroup<warps_per_block>{}) for long
// ones.
template <class Launcher>
cudaError_t with_row_group(std::int64_t cols, Launcher launcher) {
    constexpr std::int64_t long_row = 1024;
    if (cols <= long_row) return launcher(RowGroup<1>{});
    return launcher(RowGroup<warps_per_block>{});
}

}  // namespace strata::kernels
