// How every launcher starts its kernel, and how a kernel walks over its elements. The one place
// where the .cu files meet the CUDA runtime, so that the same source also builds against the tests'
// emulator.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace strata::kernels {

struct LaunchShape {
    dim3 grid;
    dim3 block;
    std::size_t shared_bytes = 0;  // dynamic shared memory
};

// kernel<<<grid, block, shared_bytes, stream>>>(args...). A grid without blocks is no work, not an
// error.
template <class... Parameters, class... Args>
cudaError_t launch(void (*kernel)(Parameters...), const LaunchShape& shape, cudaStream_t stream,
                   Args&&... args) {
    if (shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0) return cudaSuccess;
    cudaLaunchConfig_t config{};
    config.gridDim = shape.grid;
    config.blockDim = shape.block;
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, std::forward<Args>(args)...);
}

inline constexpr int warp_size = 32;
inline constexpr int block_size = 256;  // threads of a block wherever nothing else is said

constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

// For a kernel that walks over n items with first_item() and item_stride(): enough blocks to fill
// the largest GPU several times over, no more, so that big arrays pay no block start per few items.
inline LaunchShape linear_shape(std::int64_t n) {
    constexpr std::int64_t most_blocks = 8192;
    const std::int64_t blocks = ceil_divide(n, block_size);
    return {dim3(static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks)),
            dim3(block_size)};
}

__device__ inline std::int64_t first_item() {
    return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t item_stride() {
    return std::int64_t{gridDim.x} * blockDim.x;
}

// Calls launcher(Index{}) with int32 where n and the walk's overshoot fit, else int64: divisions
// of 64-bit indices cost a GPU tens of instructions.
template <class Launcher>
cudaError_t with_index_type(std::int64_t n, Launcher launcher) {
    if (n < (std::int64_t{1} << 30)) return launcher(std::int32_t{});
    return launcher(std::int64_t{});
}

inline bool is_aligned(const void* pointer, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

// Before a loop whose body is to be written out, so that arrays that it indexes stay in registers;
// and before a function that is not to be.
#ifdef __CUDACC__
#define STRATA_UNROLL _Pragma("unroll")
#define STRATA_OUT_OF_LINE __noinline__
#else
#define STRATA_UNROLL
#define STRATA_OUT_OF_LINE
#endif

// The block's dynamic shared memory, on 128 bytes.
#ifdef __CUDACC__
template <class T>
__device__ T* dynamic_shared() {
    extern __shared__ __align__(128) unsigned char dynamic_shared_bytes[];
    return reinterpret_cast<T*>(dynamic_shared_bytes);
}
#else
template <class T>
T* dynamic_shared() {
    return static_cast<T*>(cuda_emulator::dynamic_shared_memory());
}
#endif

}  // namespace strata::kernels
