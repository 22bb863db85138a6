// One kernel for all that computes element i of its outputs from element i of its inputs.
#pragma once

#include "kernels/common/storage.h"

namespace strata::kernels {

// Device pointers of Inputs read and Outputs written arrays. An output may be one of the inputs: an
// element is read before it is written, by the thread that writes it.
template <int Inputs, int Outputs, class T = float>
struct MapArrays {
    const T* in[Inputs];
    T* out[Outputs];
};

// One element: op(values of the inputs, values of the outputs).
template <int Inputs, int Outputs, class T, class Op>
__device__ void map_one(const MapArrays<Inputs, Outputs, T>& arrays, std::int64_t i, const Op& op) {
    float in[Inputs];
    float out[Outputs];
    for (int k = 0; k < Inputs; ++k) in[k] = to_float(arrays.in[k][i]);
    op(in, out);
    for (int k = 0; k < Outputs; ++k) arrays.out[k][i] = rounded<T>(out[k]);
}

// As many elements as one access of an array holds.
template <int Inputs, class T>
struct MapPacks {
    Pack<T, pack_size<T>> in[Inputs];
};

template <int Inputs, int Outputs, class T>
__device__ MapPacks<Inputs, T> load_packs(const MapArrays<Inputs, Outputs, T>& arrays,
                                          std::int64_t pack) {
    MapPacks<Inputs, T> packs;
    for (int k = 0; k < Inputs; ++k) packs.in[k] = load_pack<pack_size<T>>(arrays.in[k], pack);
    return packs;
}

template <int Inputs, int Outputs, class T, class Op>
__device__ void map_packs(const MapArrays<Inputs, Outputs, T>& arrays,
                          const MapPacks<Inputs, T>& packs, std::int64_t pack, const Op& op) {
    constexpr int size = pack_size<T>;
    Pack<T, size> out[Outputs];
    for (int i = 0; i < size; ++i) {
        float one_in[Inputs];
        float one_out[Outputs];
        for (int k = 0; k < Inputs; ++k) one_in[k] = to_float(packs.in[k].at[i]);
        op(one_in, one_out);
        for (int k = 0; k < Outputs; ++k) out[k].at[i] = rounded<T>(one_out[k]);
    }
    for (int k = 0; k < Outputs; ++k) store_pack(arrays.out[k], pack, out[k]);
}

// visit(pack, what load(pack) gives) for the thread's packs. Two are loaded before the first is
// visited, and so before it is stored: more bytes are in flight. Legal in place as well, at
// the same address: no other thread has to do with either.
template <class Load, class Visit>
__device__ void for_each_two(std::int64_t packs, Load load, Visit visit) {
    const std::int64_t stride = item_stride();
    std::int64_t p = first_item();
    for (; p + stride < packs; p += 2 * stride) {
        const auto one = load(p);
        const auto other = load(p + stride);
        visit(p, one);
        visit(p + stride, other);
    }
    if (p < packs) visit(p, load(p));
}

// All elements: packs, then the tail. Two inputs are in flight together as it is.
template <int Inputs, int Outputs, class T, class Op>
__device__ void map_all(const MapArrays<Inputs, Outputs, T>& arrays, std::int64_t packs,
                        std::int64_t n, const Op& op) {
    const std::int64_t stride = item_stride();
    const auto load = [&](std::int64_t p) { return load_packs(arrays, p); };
    const auto visit = [&](std::int64_t p, const MapPacks<Inputs, T>& values) {
        map_packs(arrays, values, p, op);
    };
    if constexpr (Inputs == 1) {
        for_each_two(packs, load, visit);
    } else {
        for (std::int64_t p = first_item(); p < packs; p += stride) visit(p, load(p));
    }
    for (std::int64_t i = packs * pack_size<T> + first_item(); i < n; i += stride) {
        map_one(arrays, i, op);
    }
}

template <int Inputs, int Outputs, class T, class Op>
__global__ void map_kernel(MapArrays<Inputs, Outputs, T> arrays, std::int64_t packs, std::int64_t n,
                           Op op) {
    map_all(arrays, packs, n, op);
}

// Arrays that all lie on 16 bytes go by packs with a tail; others one by one, in 0 packs.
template <int Inputs, int Outputs, class T>
std::int64_t packs_of(const MapArrays<Inputs, Outputs, T>& arrays, std::int64_t n) {
    bool aligned = true;
    for (const T* in : arrays.in) aligned = aligned && is_aligned(in, widest_access);
    for (T* out : arrays.out) aligned = aligned && is_aligned(out, widest_access);
    return aligned ? n / pack_size<T> : 0;
}

inline LaunchShape map_shape(std::int64_t packs, std::int64_t rest) {
    return linear_shape(packs > rest ? packs : rest);
}

// For for_each_two(): two packs a thread as soon as that fills any GPU.
inline LaunchShape two_packs_shape(std::int64_t packs, std::int64_t rest) {
    constexpr std::int64_t fill = std::int64_t{1024} * block_size;
    const std::int64_t half = ceil_divide(packs, 2);
    const std::int64_t most = half > fill ? half : fill;
    return map_shape(packs < most ? packs : most, rest);
}

template <int Inputs, int Outputs, class T, class Op>
cudaError_t launch_map(const MapArrays<Inputs, Outputs, T>& arrays, std::int64_t n, Op op,
                       cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    const std::int64_t packs = packs_of(arrays, n);
    const std::int64_t rest = n - packs * pack_size<T>;
    const LaunchShape shape = Inputs == 1 ? two_packs_shape(packs, rest) : map_shape(packs, rest);
    return launch(map_kernel<Inputs, Outputs, T, Op>, shape, stream, arrays, packs, n, op);
}

}  // namespace strata::kernels
