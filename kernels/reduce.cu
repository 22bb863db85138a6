// Column sums and sums of squares in two launches: partial sums, then their total in fixed order.
#include "kernels/reduce.h"

#include "kernels/common/columns.h"
#include "kernels/common/rows.h"
#include "kernels/common/storage.h"

namespace strata::kernels {
namespace {

template <int Size, class T>
__global__ void column_partial_kernel(float* partial, const T* x, ColumnPlan plan) {
    using Packs = TilePacks<Size>;
    __shared__ typename Packs::Scratch scratch;
    const Packs tile(plan);
    typename Packs::Sums sums{};
    tile.template for_each_row<rows_together<Size>>(
        [&](std::int64_t place) { return load_pack<Size>(x + place, 0); },
        [&](const Pack<T, Size>& values) {
            STRATA_UNROLL
            for (int k = 0; k < Size; ++k) sums.at[k] += to_float(values.at[k]);
        });
    const float total = tile.total(sums, scratch);
    if (tile.writes_column()) partial[blockIdx.y * plan.cols + tile.column()] = total;
}

template <class Result>
__global__ void __launch_bounds__(most_chunk_threads)
    column_total_kernel(Result* sums, const float* partial, ColumnPlan plan) {
    __shared__ ChunkScratch scratch;
    const float sum = static_cast<float>(chunk_sum(partial, plan, scratch));
    if (writes_chunks_column(plan)) sums[chunks_column()] = rounded<Result>(sum);
}

// One partial sum a block; the blocks of square_shape().
__global__ void square_partial_kernel(double* partial, const float* x, std::int64_t packs,
                                      std::int64_t n) {
    __shared__ double scratch[warps_per_block];
    double sum = 0.0;
    const auto add = [&](float value) { sum += double{value} * double{value}; };
    constexpr int size = pack_size<float>;
    for (std::int64_t p = first_item(); p < packs; p += item_stride()) {
        for (const float value : load_pack<size>(x, p).at) add(value);
    }
    for (std::int64_t i = packs * size + first_item(); i < n; i += item_stride()) add(x[i]);
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// The square of a finite float32 is at most 1.2e77 and far from float64's limit: the sum is finite
// exactly where every element is.
__global__ void square_total_kernel(double* total, std::int32_t* found_inf, const double* partial,
                                    int count, const double* loss) {
    __shared__ double scratch[warps_per_block];
    double sum = 0.0;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += block_size) sum += partial[i];
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x != 0) return;
    if (loss != nullptr) sum += *loss - *loss;  // 0, or NaN
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

template <class T, class Result>
cudaError_t column_sums(Result* sums, const T* x, std::int64_t rows, std::int64_t cols,
                        void* workspace, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    const ColumnPlan plan = plan_columns(rows, cols);
    auto* partial = static_cast<float*>(workspace);
    const auto kernel = has_packs<columns_together, T>(cols, {x})
                            ? column_partial_kernel<columns_together, T>
                            : column_partial_kernel<1, T>;
    const cudaError_t error = launch(kernel, plan.tiles(), stream, partial, x, plan);
    if (error != cudaSuccess) return error;
    return launch(column_total_kernel<Result>, plan.columns(), stream, sums,
                  static_cast<const float*>(partial), plan);
}

template cudaError_t column_sums(float*, const float*, std::int64_t, std::int64_t, void*,
                                 cudaStream_t);
template cudaError_t column_sums(float*, const BFloat16*, std::int64_t, std::int64_t, void*,
                                 cudaStream_t);
template cudaError_t column_sums(float*, const Float16*, std::int64_t, std::int64_t, void*,
                                 cudaStream_t);
template cudaError_t column_sums(BFloat16*, const BFloat16*, std::int64_t, std::int64_t, void*,
                                 cudaStream_t);
template cudaError_t column_sums(Float16*, const Float16*, std::int64_t, std::int64_t, void*,
                                 cudaStream_t);

std::size_t sum_of_squares_workspace_bytes(std::int64_t n) {
    return square_shape(n).grid.x * sizeof(double);
}

cudaError_t sum_of_squares(double* sum, std::int32_t* found_inf, const float* x, std::int64_t n,
                           void* workspace, cudaStream_t stream, const double* loss) {
    if (n < 0) return cudaErrorInvalidValue;
    const LaunchShape shape = square_shape(n);
    auto* partial = static_cast<double*>(workspace);
    const std::int64_t packs = is_aligned(x, widest_access) ? n / pack_size<float> : 0;
    const cudaError_t error = launch(square_partial_kernel, shape, stream, partial, x, packs, n);
    if (error != cudaSuccess) return error;
    return launch(square_total_kernel, LaunchShape{dim3(1), dim3(block_size)}, stream, sum,
                  found_inf, partial, static_cast<int>(shape.grid.x), loss);
}

}  // namespace strata::kernels
