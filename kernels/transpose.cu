// The transpose by way of shared memory, so that both sides are read and written along their lines.
#include "kernels/transpose.h"

#include "kernels/common/storage.h"

namespace strata::kernels {
namespace {

constexpr int side = warp_size;

template <class T>
__global__ void transpose_kernel(T* y, const T* x, std::int64_t rows, std::int64_t cols,
                                 std::int64_t across) {
    __shared__ T tile[side][side + 1];
    const std::int64_t first_row = blockIdx.x / across * side;
    const std::int64_t first_col = blockIdx.x % across * side;
    const std::int64_t col = first_col + threadIdx.x;
    for (int r = static_cast<int>(threadIdx.y); r < side; r += static_cast<int>(blockDim.y)) {
        if (first_row + r < rows && col < cols)
            tile[r][threadIdx.x] = x[(first_row + r) * cols + col];
    }
    __syncthreads();
    const std::int64_t row = first_row + threadIdx.x;
    for (int c = static_cast<int>(threadIdx.y); c < side; c += static_cast<int>(blockDim.y)) {
        if (first_col + c < cols && row < rows)
            y[(first_col + c) * rows + row] = tile[threadIdx.x][c];
    }
}

}  // namespace

template <class T>
cudaError_t transpose(T* y, const T* x, std::int64_t rows, std::int64_t cols, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    const std::int64_t across = ceil_divide(cols, side);
    const std::int64_t blocks = ceil_divide(rows, side) * across;
    if (blocks > INT32_MAX) return cudaErrorInvalidValue;
    const LaunchShape shape{dim3(static_cast<unsigned>(blocks)), dim3(side, block_size / side)};
    return launch(transpose_kernel<T>, shape, stream, y, x, rows, cols, across);
}

#define STRATA_INSTANTIATE(T) \
    template cudaError_t transpose(T*, const T*, std::int64_t, std::int64_t, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
