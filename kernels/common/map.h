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
template <int Inputs, int Outputs, class T, class Op>
__device__ void map_pack(const MapArrays<Inputs, Outputs, T>& arrays, std::int64_t pack,
                         const Op& op) {
    constexpr int size = pack_size<T>;
    Pack<T, size> in[Inputs];
    Pack<T, size> out[Outputs];
    for (int k = 0; k < Inputs; ++k) in[k] = load_pack<size>(arrays.in[k], pack);
    for (int i = 0; i < size; ++i) {
        float one_in[Inputs];
        float one_out[Outputs];
        for (int k = 0; k < Inputs; ++k) one_in[k] = to_float(in[k].at[i]);
        op(one_in, one_out);
        for (int k = 0; k < Outputs; ++k) out[k].at[i] = rounded<T>(one_out[k]);
    }
    for (int k = 0; k < Outputs; ++k) store_pack(arrays.out[k], pack, out[k]);
}

// All elements: packs, then the tail.
template <int Inputs, int Outputs, class T, class Op>
__device__ void map_all(const MapArrays<Inputs, Outputs, T>& arrays, std::int64_t packs,
                        std::int64_t n, const Op& op) {
    const std::int64_t stride = item_stride();
    for (std::int64_t p = first_item(); p < packs; p += stride) map_pack(arrays, p, op);
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

template <int Inputs, int Outputs, class T, class Op>
cudaError_t launch_map(const MapArrays<Inputs, Outputs, T>& arrays, std::int64_t n, Op op,
                       cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    const std::int64_t packs = packs_of(arrays, n);
    return launch(map_kernel<Inputs, Outputs, T, Op>, map_shape(packs, n - packs * pack_size<T>),
                  stream, arrays, packs, n, op);
}

}  // namespace strata::kernels
