// From what is stored to float32 and back, and 16 bytes of it at a time.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "kernels/common/launch.h"
#include "kernels/storage.h"

// For all three storage types T: STRATA_EACH_STORAGE(MACRO) is MACRO(float) and so on.
#define STRATA_EACH_STORAGE(MACRO) MACRO(float) MACRO(BFloat16) MACRO(Float16)

namespace strata::kernels {

__device__ inline float to_float(float x) {
    return x;
}
__device__ inline float to_float(BFloat16 x) {
    return __bfloat162float(__ushort_as_bfloat16(x.bits));
}
__device__ inline float to_float(Float16 x) {
    return __half2float(__ushort_as_half(x.bits));
}
__device__ inline float to_float(std::uint8_t x) {
    return static_cast<float>(x);
}

template <class T>
__device__ T rounded(float x) {
    if constexpr (std::is_same_v<T, BFloat16>) {
        return {__bfloat16_as_ushort(__float2bfloat16_rn(x))};
    } else if constexpr (std::is_same_v<T, Float16>) {
        return {__half_as_ushort(__float2half_rn(x))};
    } else {
        return x;
    }
}

// Count elements in one access: a memory-bound kernel needs a fraction of the load instructions,
// and more bytes are in flight.
template <class T, int Count>
struct alignas(sizeof(T) * Count) Pack {
    T at[Count];
};

inline constexpr int widest_access = 16;  // bytes

template <class T>
inline constexpr int pack_size = widest_access / static_cast<int>(sizeof(T));

template <int Count, class T>
__device__ Pack<T, Count> load_pack(const T* array, std::int64_t pack) {
    return reinterpret_cast<const Pack<T, Count>*>(array)[pack];
}
// Float32 parameters of a pack's elements: `pack` as for load_pack(), of any address.
template <int Count>
__device__ Pack<float, Count> load_floats(const float* array, std::int64_t pack) {
    const float* const from = array + pack * Count;
    Pack<float, Count> values;
    if constexpr (Count % pack_size<float> == 0) {
        if (reinterpret_cast<std::uintptr_t>(from) % widest_access == 0) {
            for (int p = 0; p < Count / pack_size<float>; ++p) {
                const auto part = load_pack<pack_size<float>>(from, p);
                for (int k = 0; k < pack_size<float>; ++k)
                    values.at[p * pack_size<float> + k] = part.at[k];
            }
            return values;
        }
    }
    for (int k = 0; k < Count; ++k) values.at[k] = from[k];
    return values;
}
template <int Count, class T>
__device__ void store_pack(T* array, std::int64_t pack, const Pack<T, Count>& values) {
    reinterpret_cast<Pack<T, Count>*>(array)[pack] = values;
}

}  // namespace strata::kernels
