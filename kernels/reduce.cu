// Column sums and sums of squares in two launches: partial sums, then their total in fixed order.
#include "kernels/reduce.h"

#include "kernels/common/columns.h"
#include "kernels/common/rows.h"

namespace strata::kernels {
namespace {

__global__ void column_partial_kernel(float* partial, const float* x, ColumnPlan plan) {
    __shared__ float tile[tile_rows][tile_cols];
    const TileThread t = tile_thread(plan);
    float sum = 0.0F;
    if (t.has_column) {
        for (std::int64_t r = t.first_row; r < t.end_row; r += tile_rows) {
            sum += x[r * plan.cols + t.col];
        }
    }
    sum = tile_column_sum(sum, tile);
    if (t.has_column && threadIdx.y == 0) partial[blockIdx.y * plan.cols + t.col] = sum;
}

__global__ void column_total_kernel(float* sums, const float* partial, ColumnPlan plan,
                                    bool accumulate) {
    __shared__ double tile[tile_rows][tile_cols];
    const TileThread t = tile_thread(plan);
    const float sum = static_cast<float>(chunk_sum(partial, plan, tile));
    if (t.has_column && threadIdx.y == 0) sums[t.col] = accumulate ? sums[t.col] + sum : sum;
}

// One partial sum a block; the blocks of square_shape().
__global__ void square_partial_kernel(double* partial, const float* x, std::int64_t n) {
    __shared__ double scratch[warps_per_block];
    double sum = 0.0;
    for (std::int64_t i = first_item(); i < n; i += item_stride()) {
        const double v = x[i];
        sum += v * v;
    }
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// The square of a finite float32 is at most 1.2e77 and far from float64's limit: the sum is finite
// exactly where every element is.
__global__ void square_total_kernel(double* total, std::int32_t* found_inf, const double* partial,
                                    int count) {
    __shared__ double scratch[warps_per_block];
    double sum = 0.0;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += block_size) sum += partial[i];
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x != 0) return;
    *total = sum;
    if (found_inf != nullptr) *found_inf = sum - sum == 0.0 ? 0 : 1;
}

// Fixed by n alone, so that the order of the sum is the same on every GPU.
LaunchShape square_shape(std::int64_t n) {
    constexpr std::int64_t most_blocks = 1024;
    constexpr std::int64_t items_per_thread = 16;
    const std::int64_t blocks = ceil_divide(n, block_size * items_per_thread);
    return {dim3(static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks)),
            dim3(block_size)};
}

}  // namespace

std::size_t column_sums_workspace_bytes(std::int64_t rows, std::int64_t cols) {
    return static_cast<std::size_t>(plan_columns(rows, cols).chunks * cols) * sizeof(float);
}

cudaError_t column_sums(float* sums, const float* x, std::int64_t rows, std::int64_t cols,
                        bool accumulate, void* workspace, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    const ColumnPlan plan = plan_columns(rows, cols);
    auto* partial = static_cast<float*>(workspace);
    const cudaError_t error = launch(column_partial_kernel, plan.tiles(), stream, partial, x, plan);
    if (error != cudaSuccess) return error;
    return launch(column_total_kernel, plan.columns(), stream, sums, partial, plan, accumulate);
}

std::size_t sum_of_squares_workspace_bytes(std::int64_t n) {
    return square_shape(n).grid.x * sizeof(double);
}

cudaError_t sum_of_squares(double* sum, std::int32_t* found_inf, const float* x, std::int64_t n,
                           void* workspace, cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    const LaunchShape shape = square_shape(n);
    auto* partial = static_cast<double*>(workspace);
    const cudaError_t error = launch(square_partial_kernel, shape, stream, partial, x, n);
    if (error != cudaSuccess) return error;
    return launch(square_total_kernel, LaunchShape{dim3(1), dim3(block_size)}, stream, sum,
                  found_inf, partial, static_cast<int>(shape.grid.x));
}

}  // namespace strata::kernels
