// Batch normalisation: statistics over chunks of rows, their combination in fixed order, then one
// element-wise pass.
#include "kernels/batch_norm.h"

#include <initializer_list>

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

// A chunk's mean first and then the deviations from it: E[x^2] - mean^2 would lose every digit
// where the mean is large. The second reading comes from the cache.
__global__ void chunk_statistics_kernel(Workspace out, const float* x, ColumnPlan plan) {
    __shared__ float tile[tile_rows][tile_cols];
    const TileThread t = tile_thread(plan);
    float sum = 0.0F;
    if (t.has_column) {
        for (std::int64_t r = t.first_row; r < t.end_row; r += tile_rows) {
            sum += x[r * plan.cols + t.col];
        }
    }
    const auto rows = static_cast<float>(rows_of_chunk(plan, blockIdx.y));
    const float mean = tile_column_sum(sum, tile) / rows;
    float squares = 0.0F;
    if (t.has_column) {
        for (std::int64_t r = t.first_row; r < t.end_row; r += tile_rows) {
            const float deviation = x[r * plan.cols + t.col] - mean;
            squares += deviation * deviation;
        }
    }
    squares = tile_column_sum(squares, tile);
    if (t.has_column && threadIdx.y == 0) {
        out.first[blockIdx.y * plan.cols + t.col] = mean;
        out.second[blockIdx.y * plan.cols + t.col] = squares;
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

__global__ void deviation_partial_kernel(float* partial, const float* x, const float* mean,
                                         ColumnPlan plan) {
    __shared__ float tile[tile_rows][tile_cols];
    const TileThread t = tile_thread(plan);
    float squares = 0.0F;
    if (t.has_column) {
        const float center = mean[t.col];
        for (std::int64_t r = t.first_row; r < t.end_row; r += tile_rows) {
            const float deviation = x[r * plan.cols + t.col] - center;
            squares += deviation * deviation;
        }
    }
    squares = tile_column_sum(squares, tile);
    if (t.has_column && threadIdx.y == 0) partial[blockIdx.y * plan.cols + t.col] = squares;
}

__global__ void deviation_total_kernel(float* sums, const float* partial, ColumnPlan plan) {
    __shared__ double tile[tile_rows][tile_cols];
    const TileThread t = tile_thread(plan);
    const double sum = chunk_sum(partial, plan, tile);
    if (t.has_column && threadIdx.y == 0) sums[t.col] = static_cast<float>(sum);
}

// Size elements an access: of one row, where the channels are a multiple of it.
template <int Size, class Index>
__global__ void normalize_kernel(float* y, const float* x, const float* mean,
                                 const float* inverse_deviation, const float* gamma,
                                 const float* beta, Index packs, Index cols) {
    for (Index p = static_cast<Index>(first_item()); p < packs;
         p += static_cast<Index>(item_stride())) {
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
__global__ void gradient_partial_kernel(Workspace out, const float* dy, const float* x,
                                        BatchNormBackward p, ColumnPlan plan) {
    __shared__ float tile[tile_rows][tile_cols];
    const TileThread t = tile_thread(plan);
    float scaled = 0.0F;
    float plain = 0.0F;
    if (t.has_column) {
        const float mean = p.mean[t.col];
        const float inverse = p.inverse_deviation[t.col];
        for (std::int64_t r = t.first_row; r < t.end_row; r += tile_rows) {
            const std::int64_t i = r * plan.cols + t.col;
            scaled += dy[i] * ((x[i] - mean) * inverse);
            plain += dy[i];
        }
    }
    scaled = tile_column_sum(scaled, tile);
    plain = tile_column_sum(plain, tile);
    if (t.has_column && threadIdx.y == 0) {
        out.first[blockIdx.y * plan.cols + t.col] = scaled;
        out.second[blockIdx.y * plan.cols + t.col] = plain;
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

// dx = gamma * inverse_deviation * (dy - mean of dy - xhat * mean of dy xhat).
template <int Size, class Index>
__global__ void input_gradient_kernel(float* dx, const float* dy, const float* x,
                                      BatchNormBackward p, const float* mean_scaled,
                                      const float* mean_plain, Index packs, Index cols) {
    for (Index i = static_cast<Index>(first_item()); i < packs;
         i += static_cast<Index>(item_stride())) {
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
    bool wide = shape.channels % most == 0;
    for (const void* array : arrays) wide = wide && is_aligned(array, widest_access);
    const std::int64_t n = shape.rows * shape.channels;
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return wide ? launcher(std::integral_constant<int, most>{}, static_cast<Index>(n / most))
                    : launcher(std::integral_constant<int, 1>{}, static_cast<Index>(n));
    });
}

// Chan, Golub and LeVeque's combination. The first micro-batch overwrites: what stood there may be
// NaN.
__global__ void accumulate_statistics_kernel(double* window_mean, double* window_variance,
                                             const float* mean, const float* variance,
                                             std::int64_t channels, std::int64_t before,
                                             std::int64_t samples, const StepValues* values) {
    if (values != nullptr) before = values->samples_before;
    const bool first = before == 0;
    const double share =
        static_cast<double>(samples) / (static_cast<double>(before) + static_cast<double>(samples));
    for (std::int64_t i = first_item(); i < channels; i += item_stride()) {
        const double v = variance[i];
        const double m = v - v == 0.0 ? double{mean[i]} : v - v;
        if (first) {
            window_mean[i] = m;
            window_variance[i] = v + (m - m);
            continue;
        }
        const double distance = m - window_mean[i];
        window_mean[i] += distance * share;
        window_variance[i] +=
            share * (v - window_variance[i]) + share * (1.0 - share) * distance * distance;
    }
}

__global__ void moving_average_kernel(float* average, const double* statistic, std::int64_t n,
                                      float momentum, const double* norm) {
    if (norm != nullptr && !(*norm - *norm == 0.0)) return;
    for (std::int64_t i = first_item(); i < n; i += item_stride()) {
        const auto s = static_cast<float>(statistic[i]);
        if (s - s == 0.0F) average[i] = average[i] * momentum + s * (1.0F - momentum);
    }
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
    cudaError_t error = launch(chunk_statistics_kernel, plan.tiles(), stream, w, x, plan);
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
    const cudaError_t error =
        launch(deviation_partial_kernel, plan.tiles(), stream, partial, x, mean, plan);
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
    const cudaError_t error =
        launch(gradient_partial_kernel, plan.tiles(), stream, w, dy, x, parameters, plan);
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

cudaError_t accumulate_statistics(double* window_mean, double* window_variance, const float* mean,
                                  const float* variance, std::int64_t channels, std::int64_t before,
                                  std::int64_t samples, cudaStream_t stream,
                                  const StepValues* values) {
    if (channels < 0 || before < 0 || samples < 1) return cudaErrorInvalidValue;
    return launch(accumulate_statistics_kernel, linear_shape(channels), stream, window_mean,
                  window_variance, mean, variance, channels, before, samples, values);
}

cudaError_t moving_average(float* average, const double* statistic, std::int64_t n, float momentum,
                           const double* norm, cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    return launch(moving_average_kernel, linear_shape(n), stream, average, statistic, n, momentum,
                  norm);
}

}  // namespace strata::kernels
