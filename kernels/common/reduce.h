// Reductions inside a warp and a block. All run in a fixed order and give every thread the result.
#pragma once

#include "kernels/common/launch.h"

namespace strata::kernels {

inline constexpr unsigned full_warp = 0xFFFFFFFFU;

struct Sum {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

struct Max {
    // NaN wins, so that it shows in what follows.
    __device__ float operator()(float a, float b) const { return a > b || a != a ? a : b; }
};

// An argmax candidate. NaN is the largest value, and of equal ones the lower index wins, as in
// NumPy and PyTorch: so the order of comparing does not matter.
struct Candidate {
    float value;
    std::int64_t index;
};

struct FirstMax {
    __device__ Candidate operator()(Candidate a, Candidate b) const {
        const bool a_is_nan = a.value != a.value;
        const bool b_is_nan = b.value != b.value;
        if (a_is_nan != b_is_nan) return a_is_nan ? a : b;
        if (!a_is_nan && a.value != b.value) return a.value > b.value ? a : b;
        return a.index < b.index ? a : b;
    }
};

template <class T>
__device__ T shuffle_xor(T value, int lane_mask) {
    return __shfl_xor_sync(full_warp, value, lane_mask);
}
__device__ inline Candidate shuffle_xor(Candidate c, int lane_mask) {
    return {shuffle_xor(c.value, lane_mask), shuffle_xor(c.index, lane_mask)};
}

// A butterfly: both partners combine the same two values, and Sum commutes exactly, so that every
// lane ends with the same bits. Over neighbours, as many as `lanes`, a power of two that is the
// same for the whole warp, which has to be complete.
template <class T, class Combine>
__device__ T warp_reduce(T value, Combine combine, int lanes = warp_size) {
    STRATA_UNROLL
    for (int lane_mask = warp_size / 2; lane_mask > 0; lane_mask /= 2) {
        if (lane_mask < lanes) value = combine(value, shuffle_xor(value, lane_mask));
    }
    return value;
}

// Over a block of Warps full warps (1 to 32). scratch: Warps values in shared memory, free again on
// return. `neutral` is what changes nothing: 0 for a sum, -inf for a maximum.
template <int Warps, class T, class Combine>
__device__ T block_reduce(T value, T neutral, Combine combine, T* scratch) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    value = warp_reduce(value, combine);
    if (lane == 0) scratch[warp] = value;
    __syncthreads();
    value = lane < Warps ? scratch[lane] : neutral;
    __syncthreads();
    return warp_reduce(value, combine);
}

}  // namespace strata::kernels
