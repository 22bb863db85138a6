// Row-wise kernels: short rows get neighbouring lanes of a warp and no barrier, long ones a block
// each.
#pragma once

#include <initializer_list>

#include "kernels/common/reduce.h"
#include "kernels/common/storage.h"

namespace strata::kernels {

inline constexpr int warps_per_block = block_size / warp_size;

// A thread's part in a row that lanes of a warp share, and so have its neighbours in the rows
// beside it. All threads take part in what is reduced: behind the last row they have no columns.
// scratch: warps_per_block values of shared memory for each type that is reduced.
struct LaneGroup {
    using Index = std::int32_t;  // of a column
    int lanes_log2;

    __device__ int threads() const { return 1 << lanes_log2; }
    __device__ std::int64_t row() const { return first_item() >> lanes_log2; }
    __device__ int first_column() const { return static_cast<int>(threadIdx.x) & (threads() - 1); }
    template <class T, class Combine>
    __device__ T reduce(T value, T, Combine combine, T*) const {
        return warp_reduce(value, combine, threads());
    }
    template <class T>
    __device__ T sum(T value, T*) const {
        return warp_reduce(value, Sum{}, threads());
    }
    // Whether a row of those that go on together has it.
    __device__ bool any(bool has) const { return __ballot_sync(full_warp, has ? 1 : 0) != 0; }

    LaunchShape shape(std::int64_t rows) const {
        return {dim3(static_cast<unsigned>(ceil_divide(rows << lanes_log2, block_size))),
                dim3(block_size)};
    }
};

// The same of a row that has a block to itself.
struct BlockGroup {
    using Index = std::int64_t;
    __device__ int threads() const { return block_size; }
    __device__ std::int64_t row() const { return blockIdx.x; }
    __device__ int first_column() const { return static_cast<int>(threadIdx.x); }
    template <class T, class Combine>
    __device__ T reduce(T value, T neutral, Combine combine, T* scratch) const {
        return block_reduce<warps_per_block>(value, neutral, combine, scratch);
    }
    template <class T>
    __device__ T sum(T value, T* scratch) const {
        return reduce(value, T{0}, Sum{}, scratch);
    }
    __device__ bool any(bool has) const { return has; }

    LaunchShape shape(std::int64_t rows) const {
        return {dim3(static_cast<unsigned>(rows)), dim3(block_size)};
    }
};

// Calls launcher(group) for rows whose columns are read `together` at a time. A lane has one access
// at least, of single elements two: more bytes are in flight, and fewer steps reduced.
template <class Launcher>
cudaError_t with_row_group(std::int64_t cols, int together, Launcher launcher) {
    constexpr std::int64_t long_row = 1024;
    if (cols > long_row) return launcher(BlockGroup{});
    const std::int64_t most_lanes = together == 1 ? cols / 2 : cols / together;
    LaneGroup group{0};
    while ((2 << group.lanes_log2) <= most_lanes && (1 << group.lanes_log2) < warp_size)
        ++group.lanes_log2;
    return launcher(group);
}

// The same with the elements that one access takes: 4 where rows and arrays lie so, or 1; of every
// type as many, so that all add in one order. launcher(group, size).
template <class T, class Launcher>
cudaError_t with_row_access(std::int64_t cols, std::initializer_list<const void*> arrays,
                            Launcher launcher) {
    constexpr int together = 4;
    bool wide = cols % together == 0;
    for (const void* array : arrays) wide = wide && is_aligned(array, together * sizeof(T));
    return with_row_group(cols, wide ? together : 1, [&](auto group) {
        return wide ? launcher(group, std::integral_constant<int, together>{})
                    : launcher(group, std::integral_constant<int, 1>{});
    });
}

// A thread's share of a row's accesses: visit(which).
template <int Size, class Group, class Visit>
__device__ void for_each_pack(Group group, std::int64_t cols, Visit visit) {
    using Index = typename Group::Index;
    const auto packs = static_cast<Index>(cols / Size);
    for (Index p = group.first_column(); p < packs; p += group.threads()) visit(p);
}

// A thread's share of a row, Size elements an access: visit(value).
template <int Size, class Group, class T, class Visit>
__device__ void for_each_in_row(Group group, const T* x, std::int64_t cols, Visit visit) {
    for_each_pack<Size>(group, cols, [&](auto p) {
        const auto values = load_pack<Size>(x, p);
        for (int k = 0; k < Size; ++k) visit(to_float(values.at[k]));
    });
}

// visit(value of a, value of b).
template <int Size, class Group, class T, class Visit>
__device__ void for_each_in_rows(Group group, const T* a, const T* b, std::int64_t cols,
                                 Visit visit) {
    for_each_pack<Size>(group, cols, [&](auto p) {
        const auto left = load_pack<Size>(a, p);
        const auto right = load_pack<Size>(b, p);
        for (int k = 0; k < Size; ++k) visit(to_float(left.at[k]), to_float(right.at[k]));
    });
}

// y = f(x); y may be x.
template <int Size, class Group, class T, class Function>
__device__ void map_row(Group group, T* y, const T* x, std::int64_t cols, Function f) {
    for_each_pack<Size>(group, cols, [&](auto p) {
        auto values = load_pack<Size>(x, p);
        for (int k = 0; k < Size; ++k) values.at[k] = rounded<T>(f(to_float(values.at[k])));
        store_pack(y, p, values);
    });
}

// y = f(a, b); y may be either.
template <int Size, class Group, class T, class Function>
__device__ void map_rows(Group group, T* y, const T* a, const T* b, std::int64_t cols, Function f) {
    for_each_pack<Size>(group, cols, [&](auto p) {
        auto values = load_pack<Size>(a, p);
        const auto right = load_pack<Size>(b, p);
        for (int k = 0; k < Size; ++k)
            values.at[k] = rounded<T>(f(to_float(values.at[k]), to_float(right.at[k])));
        store_pack(y, p, values);
    });
}

}  // namespace strata::kernels
