// Stand-in for the CUDA toolkit's header of the same name: what the device code needs, for g++. A
// kernel is an ordinary function that the emulator calls once a thread.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_emulator.h"
#include "cuda_runtime_api.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
// It begins as zeros, by which watch.cpp finds it.
#define __shared__ static
#define __constant__ static

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(4) uchar4 {
    unsigned char x, y, z, w;
};
inline float2 make_float2(float x, float y) {
    return {x, y};
}
inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}

extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
inline constexpr int warpSize = 32;

inline void __syncthreads(std::source_location where = std::source_location::current()) {
    cuda_emulator::barrier(where);
}

inline void __syncwarp(unsigned mask = 0xFFFFFFFFU,
                       std::source_location where = std::source_location::current()) {
    cuda_emulator::warp_exchange(cuda_emulator::WarpOp::sync, mask, 0, cuda_emulator::lane(),
                                 where);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              std::source_location where = std::source_location::current()) {
    return static_cast<unsigned>(cuda_emulator::warp_exchange(
        cuda_emulator::WarpOp::ballot, mask, predicate != 0, cuda_emulator::lane(), where));
}

namespace cuda_emulator {

// Lanes form segments of `width`; a source outside the own segment gives the own value.
template <class T>
T shuffle(unsigned mask, T value, int source, bool inside, const std::source_location& where) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = warp_exchange(WarpOp::shuffle, mask, bits, inside ? source : lane(), where);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

}  // namespace cuda_emulator

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize,
              std::source_location where = std::source_location::current()) {
    const int segment = cuda_emulator::lane() / width * width;
    return cuda_emulator::shuffle(mask, value, segment + (source & (width - 1)), true, where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,
                  std::source_location where = std::source_location::current()) {
    const int own = cuda_emulator::lane();
    const int source = own ^ lane_mask;
    return cuda_emulator::shuffle(mask, value, source, source / width <= own / width, where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                   std::source_location where = std::source_location::current()) {
    const int own = cuda_emulator::lane();
    const int source = own + static_cast<int>(delta);
    return cuda_emulator::shuffle(mask, value, source, source / width == own / width, where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                 std::source_location where = std::source_location::current()) {
    const int own = cuda_emulator::lane();
    const int source = own - static_cast<int>(delta);
    return cuda_emulator::shuffle(mask, value, source, source >= own / width * width, where);
}

// Threads run one at a time: an atomic is a plain read and write.
template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
    const cuda_emulator::AtomicAccess atomic;
    const T old = *address;
    *address = old + value;
    return old;
}
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value) {
    const cuda_emulator::AtomicAccess atomic;
    const T old = *address;
    *address = std::max(old, value);
    return old;
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    const cuda_emulator::AtomicAccess atomic;
    const T old = *address;
    if (old == expected) *address = value;
    return old;
}
inline void __threadfence() {}
inline void __threadfence_block() {}

template <class T>
T __ldg(const T* address) {
    return *address;
}
inline float __fadd_rn(float a, float b) {
    return a + b;
}
inline float __fmul_rn(float a, float b) {
    return a * b;
}
inline float rsqrtf(float x) {
    return 1.0F / std::sqrt(x);
}
inline int __popc(unsigned x) {
    return std::popcount(x);
}
inline int __ffs(int x) {
    return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}
inline unsigned __float_as_uint(float x) {
    return std::bit_cast<unsigned>(x);
}
inline float __uint_as_float(unsigned x) {
    return std::bit_cast<float>(x);
}

struct cudaLaunchAttribute {};
struct cudaLaunchConfig_t {
    dim3 gridDim;
    dim3 blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};

// The arguments are converted and copied at the launch, as CUDA does.
template <class... Parameters, class... Args>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Args&&... args) {
    const cuda_emulator::Launch launch{config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                       config->stream};
    return cuda_emulator::enqueue_launch(
        launch, [kernel, values = std::tuple<Parameters...>(std::forward<Args>(args)...)] {
            std::apply(kernel, values);
        });
}
