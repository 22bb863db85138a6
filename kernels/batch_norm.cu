// Batch normalisation: statistics over chunks of rows, their combination in fixed order, then one
// element-wise pass.
#include "kernels/batch_norm.h"

#include "kernels/common/columns.h"
#include "kernels/common/storage.h"

namespace strata::kernels {
namespace {

// Two floats a chunk and channel: mean and sum of squared deviations (training), or the two sums of
// the backward pass; then two floats a channel.
struct Workspace {
    float* first;
    float* second;
    float* channel_first;
    float* channel_second;
};

Workspace cut(void* workspace, const ColumnPlan& plan) {
    auto* memory = static_cast<float*>(workspace);
    const std::int64_t partials = plan.chunks * plan.cols;
    return {memory, memory + partials, memory + 2 * partials, memory + 2 * partials + plan.cols};
}

__device__ std::int64_t rows_of_chunk(const ColumnPlan& plan, std::int64_t chunk) {
    const std::int64_t rest = plan.rows - chunk * plan.rows_per_chunk;
    return rest < plan.rows_per_chunk ? rest : plan.rows_per_chunk;
}

// Mean and squared deviations of a thread's rows in one reading: Welford's, for E[x^2] - mean^2
// would lose every digit where the mean is large. The block's threads are then combined like the
// chunks.
template <int Size>
__global__ void chunk_statistics_kernel(Workspace out, const float* x, ColumnPlan plan) {
    using Packs = TilePacks<Size>;
    __shared__ typename Packs::Scratch scratch;
    __shared__ float means[tile_cols];
    typename Packs::Sums mean{};
    typename Packs::Sums squares{};
    float count = 0.0F;
    Packs::for_each(plan, [&](std::int64_t r, std::int64_t col) {
        const auto values = load_pack<Size>(x + r * plan.cols + col, 0);
        count += 1.0F;
        const float share = 1.0F / count;
        for (int k = 0; k < Size; ++k) {
            const float deviation = values.at[k] - mean.at[k];
            mean.at[k] += deviation * share;
            squares.at[k] += deviation * (values.at[k] - mean.at[k]);
        }
    });
    typename Packs::Sums sums;
    for (int k = 0; k < Size; ++k) sums.at[k] = count * mean.at[k];
    const auto rows = static_cast<float>(rows_of_chunk(plan, blockIdx.y));
    const float chunk_mean = Packs::total(sums, scratch) / rows;
    if (threadIdx.y == 0) means[threadIdx.x] = chunk_mean;
    __syncthreads();
    for (int k = 0; k < Size; ++k) {
        const float deviation = mean.at[k] - means[Packs::first_column() + k];
        squares.at[k] += count * deviation * deviation;
    }
    const float chunk_squares = Packs::total(squares, scratch);
    if (writes_column(plan)) {
        out.first[blockIdx.y * plan.cols + tile_column()] = chunk_mean;
        out.second[blockIdx.y * plan.cols + tile_column()] = chunk_squares;
    }
}

__device__ void set_statistics(const BatchNormTraining& p, std::int64_t col, double mean,
                               double variance) {
    p.mean[col] = static_cast<float>(mean);
    p.inverse_deviation[col] = static_cast<float>(1.0 / sqrt(variance + double{p.epsilon}));
    const float spread = static_cast<float>(variance);
    if (p.variance != nullptr) p.variance[col] = spread;
    if (!(spread - spread == 0.0F)) return;  // Inf or NaN
    const float rest = 1.0F - p.momentum;
    p.moving_mean[col] = p.moving_mean[col] * p.momentum + static_cast<float>(mean) * rest;
    p.moving_variance[col] = p.moving_variance[col] * p.momentum + spread * rest;
}

// Chan, Golub and LeVeque's combination: the deviations inside the chunks, and those of the chunks'
// means.
__global__ void batch_statistics_kernel(BatchNormTraining p, Workspace in, ColumnPlan plan) {
    __shared__ double tile[tile_rows][tile_cols];
    const std::int64_t col = std::int64_t{blockIdx.x} * tile_cols + threadIdx.x;
    double sum = 0.0;
    if (col < plan.cols) {
        for (std::int64_t k = threadIdx.y; k < plan.chunks; k += tile_rows) {
            sum +=
                double{in.first[k * plan.cols + col]} * static_cast<double>(rows_of_chunk(plan, k));
        }
    }
    const auto rows = static_cast<double>(plan.rows);
    const double mean = tile_column_sum(sum, tile) / rows;
    double squares = 0.0;
    if (col < plan.cols) {
        for (std::int64_t k = threadIdx.y; k < plan.chunks; k += tile_rows) {
            const double deviation = double{in.first[k * plan.cols + col]} - mean;
            squares += double{in.second[k * plan.cols + col]} +
                       static_cast<double>(rows_of_chunk(plan, k)) * deviation * deviation;
        }
    }
    const double variance = tile_column_sum(squares, tile) / rows;
    if (col < plan.cols && threadIdx.y == 0) set_statistics(p, col, mean, variance);
}

__global__ void given_statistics_kernel(BatchNormTraining p, const float* mean,
                                        const float* variance, std::int64_t channels) {
    for (std::int64_t c = first_item(); c < channels; c += item_stride()) {
        set_statistics(p, c, mean[c], variance[c]);
    }
}

template <int Size>
__global__ void deviation_partial_kernel(float* partial, const float* x, const float* mean,
                                         ColumnPlan plan) {
    using Packs = TilePacks<Size>;
    __shared__ typename Packs::Scratch scratch;
    const typename Packs::Sums center = Packs::of_columns(mean, plan);
    typename Packs::Sums squares{};
    Packs::for_each(plan, [&](std::int64_t r, std::int64_t col) {
        const auto values = load_pack<Size>(x + r * plan.cols + col, 0);
        for (int k = 0; k < Size; ++k) {
            const float deviation = values.at[k] - center.at[k];
            squares.at[k] += deviation * deviation;
        }
    });
    const float total = Packs::total(squares, scratch);
    if (writes_column(plan)) partial[blockIdx.y * plan.cols + tile_column()] = total;
}

__global__ void deviation_total_kernel(float* sums, const float* partial, ColumnPlan plan) {
    __shared__ double tile[tile_rows][tile_cols];
    const double sum = chunk_sum(partial, plan, tile);
    if (writes_column(plan)) sums[tile_column()] = static_cast<float>(sum);
}

// Two readings of x, for its mean has to be known before the first result: the second begins where
// the first ended, with what the L2 still holds. An L2 of x's size then spares half of it, one of
// twice the size all. A single cooperative launch could hold x in shared memory from the one to the
// other, but there is less of it than of L2 on nearly every GPU: all multiprocessors together
// have 2.5 MiB beside an L2 of 4 on a T4, 17 beside 40 on an A100, 2.7 beside 3 on an RTX 3060, 12
// beside 72 on an RTX 4090, 29 beside 50 on an H200. What fits there is read from the L2 here; and
// a grid that waits for itself has to be resident as a whole beside whatever runs on other streams.
//
// Size elements an access: of one row, where the channels are a multiple of it.
template <int Size, class Index>
__global__ void normalize_kernel(float* y, const float* x, const float* mean,
                                 const float* inverse_deviation, const float* gamma,
                                 const float* beta, Index packs, Index cols) {
    for (Index p = packs - 1 - static_cast<Index>(first_item()); p >= 0;
         p -= static_cast<Index>(item_stride())) {
        const Index first = p * Size % cols;
        auto values = load_pack<Size>(x, p);
        for (int k = 0; k < Size; ++k) {
            const Index c = first + k;
            values.at[k] = (values.at[k] - mean[c]) * (inverse_deviation[c] * gamma[c]) + beta[c];
        }
        store_pack(y, p, values);
    }
}

template <int Size, class Index>
__global__ void inference_kernel(float* y, const float* x, const float* mean, const float* variance,
                                 const float* gamma, const float* beta, float epsilon, Index packs,
                                 Index cols) {
    for (Index p = static_cast<Index>(first_item()); p < packs;
         p += static_cast<Index>(item_stride())) {
        const Index first = p * Size % cols;
        auto values = load_pack<Size>(x, p);
        for (int k = 0; k < Size; ++k) {
            const Index c = first + k;
            values.at[k] =
                (values.at[k] - mean[c]) * (gamma[c] / sqrtf(variance[c] + epsilon)) + beta[c];
        }
        store_pack(y, p, values);
    }
}

// Per chunk: sum of dy * xhat and sum of dy, with xhat = (x - mean) * inverse_deviation.
template <int Size>
__global__ void gradient_partial_kernel(Workspace out, const float* dy, const float* x,
                                        BatchNormBackward p, ColumnPlan plan) {
    using Packs = TilePacks<Size>;
    __shared__ typename Packs::Scratch scratch;
    const typename Packs::Sums mean = Packs::of_columns(p.mean, plan);
    const typename Packs::Sums inverse = Packs::of_columns(p.inverse_deviation, plan);
    typename Packs::Sums scaled{};
    typename Packs::Sums plain{};
    Packs::for_each(plan, [&](std::int64_t r, std::int64_t col) {
        const auto gradient = load_pack<Size>(dy + r * plan.cols + col, 0);
        const auto values = load_pack<Size>(x + r * plan.cols + col, 0);
        for (int k = 0; k < Size; ++k) {
            scaled.at[k] += gradient.at[k] * ((values.at[k] - mean.at[k]) * inverse.at[k]);
            plain.at[k] += gradient.at[k];
        }
    });
    const float dgamma = Packs::total(scaled, scratch);
    const float dbeta = Packs::total(plain, scratch);
    if (writes_column(plan)) {
        out.first[blockIdx.y * plan.cols + tile_column()] = dgamma;
        out.second[blockIdx.y * plan.cols + tile_column()] = dbeta;
    }
}

// dgamma, dbeta, and both divided by the number of rows for the last pass.
__global__ void gradient_total_kernel(BatchNormBackward p, Workspace w, ColumnPlan plan) {
    __shared__ double tile[tile_rows][tile_cols];
    const std::int64_t col = std::int64_t{blockIdx.x} * tile_cols + threadIdx.x;
    const double dgamma = chunk_sum(w.first, plan, tile);
    const double dbeta = chunk_sum(w.second, plan, tile);
    if (col >= plan.cols || threadIdx.y != 0) return;
    p.dgamma[col] = static_cast<float>(dgamma);
    p.dbeta[col] = static_cast<float>(dbeta);
    w.channel_first[col] = static_cast<float>(dgamma / static_cast<double>(plan.rows));
    w.channel_second[col] = static_cast<float>(dbeta / static_cast<double>(plan.rows));
}

// dx = gamma * inverse_deviation * (dy - mean of dy - xhat * mean of dy xhat). From the end, as
// normalize_kernel.
template <int Size, class Index>
__global__ void input_gradient_kernel(float* dx, const float* dy, const float* x,
                                      BatchNormBackward p, const float* mean_scaled,
                                      const float* mean_plain, Index packs, Index cols) {
    for (Index i = packs - 1 - static_cast<Index>(first_item()); i >= 0;
         i -= static_cast<Index>(item_stride())) {
        const Index first = i * Size % cols;
        auto gradient = load_pack<Size>(dy, i);
        const auto values = load_pack<Size>(x, i);
        for (int k = 0; k < Size; ++k) {
            const Index c = first + k;
            const float inverse = p.inverse_deviation[c];
            const float xhat = (values.at[k] - p.mean[c]) * inverse;
            gradient.at[k] =
                p.gamma[c] * inverse * (gradient.at[k] - mean_plain[c] - xhat * mean_scaled[c]);
        }
        store_pack(dx, i, gradient);
    }
}

// Calls launcher(size, Index{}, packs) for an element-wise pass over the arrays.
template <class Launcher>
cudaError_t with_packs(BatchNormShape shape, std::initializer_list<const void*> arrays,
                       Launcher launcher) {
    constexpr int most = pack_size<float>;
    const bool wide = has_packs<most, float>(shape.channels, arrays);
    const std::int64_t n = shape.rows * shape.channels;
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return wide ? launcher(std::integral_constant<int, most>{}, static_cast<Index>(n / most))
                    : launcher(std::integral_constant<int, 1>{}, static_cast<Index>(n));
    });
}

cudaError_t normalize(float* y, const float* x, BatchNormShape shape, const BatchNormTraining& p,
                      cudaStream_t stream) {
    return with_packs(shape, {y, x}, [&](auto size, auto packs) {
        using Index = decltype(packs);
        return launch(normalize_kernel<decltype(size)::value, Index>, linear_shape(packs), stream,
                      y, x, p.mean, p.inverse_deviation, p.gamma, p.beta, packs,
                      static_cast<Index>(shape.channels));
    });
}

}  // namespace

std::size_t batch_norm_workspace_bytes(BatchNormShape shape) {
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    return static_cast<std::size_t>(2 * (plan.chunks + 1) * plan.cols) * sizeof(float);
}

cudaError_t batch_norm_training(float* y, const float* x, BatchNormShape shape,
                                BatchNormTraining parameters, void* workspace,
                                cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    if (shape.rows == 0) return cudaSuccess;
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    const Workspace w = cut(workspace, plan);
    const auto statistics = has_packs<columns_together, float>(shape.channels, {x})
                                ? chunk_statistics_kernel<columns_together>
                                : chunk_statistics_kernel<1>;
    cudaError_t error = launch(statistics, plan.tiles(), stream, w, x, plan);
    if (error != cudaSuccess) return error;
    error = launch(batch_statistics_kernel, plan.columns(), stream, parameters, w, plan);
    if (error != cudaSuccess) return error;
    return normalize(y, x, shape, parameters, stream);
}

cudaError_t batch_norm_with_statistics(float* y, const float* x, BatchNormShape shape,
                                       BatchNormTraining parameters, const float* mean,
                                       const float* variance, cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    const cudaError_t error = launch(given_statistics_kernel, linear_shape(shape.channels), stream,
                                     parameters, mean, variance, shape.channels);
    return error != cudaSuccess ? error : normalize(y, x, shape, parameters, stream);
}

cudaError_t squared_deviations(float* sums, const float* x, const float* mean, BatchNormShape shape,
                               void* workspace, cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    auto* partial = static_cast<float*>(workspace);
    const auto deviations = has_packs<columns_together, float>(shape.channels, {x})
                                ? deviation_partial_kernel<columns_together>
                                : deviation_partial_kernel<1>;
    const cudaError_t error = launch(deviations, plan.tiles(), stream, partial, x, mean, plan);
    if (error != cudaSuccess) return error;
    return launch(deviation_total_kernel, plan.columns(), stream, sums,
                  static_cast<const float*>(partial), plan);
}

cudaError_t batch_norm_inference(float* y, const float* x, BatchNormShape shape, const float* gamma,
                                 const float* beta, const float* moving_mean,
                                 const float* moving_variance, float epsilon, cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    return with_packs(shape, {y, x}, [&](auto size, auto packs) {
        using Index = decltype(packs);
        return launch(inference_kernel<decltype(size)::value, Index>, linear_shape(packs), stream,
                      y, x, moving_mean, moving_variance, gamma, beta, epsilon, packs,
                      static_cast<Index>(shape.channels));
    });
}

cudaError_t batch_norm_gradient_sums(const float* dy, const float* x, BatchNormShape shape,
                                     BatchNormBackward parameters, void* workspace,
                                     cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    const Workspace w = cut(workspace, plan);
    const auto sums = has_packs<columns_together, float>(shape.channels, {dy, x})
                          ? gradient_partial_kernel<columns_together>
                          : gradient_partial_kernel<1>;
    const cudaError_t error = launch(sums, plan.tiles(), stream, w, dy, x, parameters, plan);
    if (error != cudaSuccess) return error;
    return launch(gradient_total_kernel, plan.columns(), stream, parameters, w, plan);
}

cudaError_t batch_norm_input_gradient(float* dx, const float* dy, const float* x,
                                      BatchNormShape shape, BatchNormBackward parameters,
                                      const float* mean_scaled, const float* mean_plain,
                                      cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    return with_packs(shape, {dx, dy, x}, [&](auto size, auto packs) {
        using Index = decltype(packs);
        return launch(input_gradient_kernel<decltype(size)::value, Index>, linear_shape(packs),
                      stream, dx, dy, x, parameters, mean_scaled, mean_plain, packs,
                      static_cast<Index>(shape.channels));
    });
}

cudaError_t batch_norm_backward(float* dx, const float* dy, const float* x, BatchNormShape shape,
                                BatchNormBackward parameters, void* workspace,
                                cudaStream_t stream) {
    const cudaError_t error = batch_norm_gradient_sums(dy, x, shape, parameters, workspace, stream);
    if (error != cudaSuccess) return error;
    const Workspace w = cut(workspace, plan_columns(shape.rows, shape.channels));
    return batch_norm_input_gradient(dx, dy, x, shape, parameters, w.channel_first,
                                     w.channel_second, stream);
}

}  // namespace strata::kernels
