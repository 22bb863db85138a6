// Row-wise kernels: short rows get a warp each and no barrier, long ones a block each.
#pragma once

#include <initializer_list>

#include "kernels/common/reduce.h"
#include "kernels/common/storage.h"

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

// The same with the elements that one access takes: 4 where rows and arrays lie so, or 1; of every
// type as many, so that all add in one order. launcher(group, size).
template <class T, class Launcher>
cudaError_t with_row_access(std::int64_t cols, std::initializer_list<const void*> arrays,
                            Launcher launcher) {
    constexpr int together = 4;
    bool wide = cols % together == 0;
    for (const void* array : arrays) wide = wide && is_aligned(array, together * sizeof(T));
    return with_row_group(cols, [&](auto group) {
        return wide ? launcher(group, std::integral_constant<int, together>{})
                    : launcher(group, std::integral_constant<int, 1>{});
    });
}

// A thread's share of a row, Size elements an access: visit(value).
template <class Group, int Size, class T, class Visit>
__device__ void for_each_in_row(const T* x, std::int64_t cols, Visit visit) {
    for (std::int64_t p = Group::first_column(); p < cols / Size; p += Group::threads) {
        const auto values = load_pack<Size>(x, p);
        for (int k = 0; k < Size; ++k) visit(to_float(values.at[k]));
    }
}

// visit(value of a, value of b).
template <class Group, int Size, class T, class Visit>
__device__ void for_each_in_rows(const T* a, const T* b, std::int64_t cols, Visit visit) {
    for (std::int64_t p = Group::first_column(); p < cols / Size; p += Group::threads) {
        const auto left = load_pack<Size>(a, p);
        const auto right = load_pack<Size>(b, p);
        for (int k = 0; k < Size; ++k) visit(to_float(left.at[k]), to_float(right.at[k]));
    }
}

// y = f(x); y may be x.
template <class Group, int Size, class T, class Function>
__device__ void map_row(T* y, const T* x, std::int64_t cols, Function f) {
    for (std::int64_t p = Group::first_column(); p < cols / Size; p += Group::threads) {
        auto values = load_pack<Size>(x, p);
        for (int k = 0; k < Size; ++k) values.at[k] = rounded<T>(f(to_float(values.at[k])));
        store_pack(y, p, values);
    }
}

// y = f(a, b); y may be either.
template <class Group, int Size, class T, class Function>
__device__ void map_rows(T* y, const T* a, const T* b, std::int64_t cols, Function f) {
    for (std::int64_t p = Group::first_column(); p < cols / Size; p += Group::threads) {
        auto values = load_pack<Size>(a, p);
        const auto right = load_pack<Size>(b, p);
        for (int k = 0; k < Size; ++k)
            values.at[k] = rounded<T>(f(to_float(values.at[k]), to_float(right.at[k])));
        store_pack(y, p, values);
    }
}

}  // namespace strata::kernels
