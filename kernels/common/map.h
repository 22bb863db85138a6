// One kernel for all that computes element i of its outputs from element i of its inputs.
#pragma once

#include "kernels/common/launch.h"

namespace strata::kernels {

// Device pointers of Inputs read and Outputs written arrays. An output may be one of the inputs: an
// element is read before it is written, by the thread that writes it.
template <int Inputs, int Outputs>
struct MapArrays {
    const float* in[Inputs];
    float* out[Outputs];
};

// One element: op(values of the inputs, values of the outputs).
template <int Inputs, int Outputs, class Op>
__device__ void map_one(const MapArrays<Inputs, Outputs>& arrays, std::int64_t i, const Op& op) {
    float in[Inputs];
    float out[Outputs];
    for (int k = 0; k < Inputs; ++k) in[k] = arrays.in[k][i];
    op(in, out);
    for (int k = 0; k < Outputs; ++k) arrays.out[k][i] = out[k];
}

// Four elements in one 16-byte access an array: a memory-bound kernel needs a quarter of the
// load instructions, and more bytes are in flight.
template <int Inputs, int Outputs, class Op>
__device__ void map_four(const MapArrays<Inputs, Outputs>& arrays, std::int64_t group,
                         const Op& op) {
    float4 in[Inputs];
    float4 out[Outputs];
    for (int k = 0; k < Inputs; ++k) {
        in[k] = reinterpret_cast<const float4*>(arrays.in[k])[group];
    }
    const auto one = [&](float float4::*lane) {
        float lane_in[Inputs];
        float lane_out[Outputs];
        for (int k = 0; k < Inputs; ++k) lane_in[k] = in[k].*lane;
        op(lane_in, lane_out);
        for (int k = 0; k < Outputs; ++k) out[k].*lane = lane_out[k];
    };
    one(&float4::x);
    one(&float4::y);
    one(&float4::z);
    one(&float4::w);
    for (int k = 0; k < Outputs; ++k) {
        reinterpret_cast<float4*>(arrays.out[k])[group] = out[k];
    }
}

template <int Inputs, int Outputs, class Op>
__global__ void map_kernel(MapArrays<Inputs, Outputs> arrays, std::int64_t groups, std::int64_t n,
                           Op op) {
    const std::int64_t stride = item_stride();
    for (std::int64_t g = first_item(); g < groups; g += stride) map_four(arrays, g, op);
    for (std::int64_t i = groups * 4 + first_item(); i < n; i += stride) map_one(arrays, i, op);
}

// Arrays that all lie on 16 bytes go by fours with a tail of up to three; others one by one, in 0
// groups.
template <int Inputs, int Outputs>
std::int64_t groups_of(const MapArrays<Inputs, Outputs>& arrays, std::int64_t n) {
    bool aligned = true;
    for (const float* in : arrays.in) aligned = aligned && is_aligned(in, sizeof(float4));
    for (float* out : arrays.out) aligned = aligned && is_aligned(out, sizeof(float4));
    return aligned ? n / 4 : 0;
}

inline LaunchShape map_shape(std::int64_t groups, std::int64_t n) {
    return linear_shape(groups > n - groups * 4 ? groups : n - groups * 4);
}

template <int Inputs, int Outputs, class Op>
cudaError_t launch_map(const MapArrays<Inputs, Outputs>& arrays, std::int64_t n, Op op,
                       cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    const std::int64_t groups = groups_of(arrays, n);
    return launch(map_kernel<Inputs, Outputs, Op>, map_shape(groups, n), stream, arrays, groups, n,
                  op);
}

}  // namespace strata::kernels
