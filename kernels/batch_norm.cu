// Batch normalisation's sums: over chunks of rows, then over the chunks in fixed order.
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

// Means, which do not overflow before the differences of the values do, and squared deviations of
// rows read one after another. E[x^2] - mean^2 would lose every digit where the mean is large: each
// few rows have a mean of their own, and are added by Chan, Golub and LeVeque's combination.
template <int Size>
struct RowStatistics {
    Pack<float, Size> mean{}, squares{};
    float count = 0.0F;

    // The first `rows` of Rows.
    template <int Rows, class T>
    __device__ void add(const Pack<T, Size> (&values)[Rows], int rows) {
        const auto more = static_cast<float>(rows);
        const float part = 1.0F / more;
        const float before = count;
        count += more;
        const float share = more / count;
        STRATA_UNROLL
        for (int k = 0; k < Size; ++k) {
            const float first = to_float(values[0].at[k]);
            float own = first;  // that of equal values exactly
            STRATA_UNROLL
            for (int r = 1; r < Rows; ++r)
                if (r < rows) own += (to_float(values[r].at[k]) - first) * part;
            float rest = 0.0F;
            STRATA_UNROLL
            for (int r = 0; r < Rows; ++r) {
                const float deviation = to_float(values[r].at[k]) - own;
                if (r < rows) rest += deviation * deviation;
            }
            const float distance = own - mean.at[k];
            mean.at[k] += distance * share;
            squares.at[k] += rest + distance * (before * share) * distance;  // 0 for the first rows
        }
    }
};

// The block's threads are then combined like the chunks, about the mean of the first one, which
// keeps the digits that a sum of large means would lose.
template <int Size, class T>
__global__ void __launch_bounds__(block_size, 4)
    chunk_statistics_kernel(Workspace out, const T* x, ColumnPlan plan) {
    using Packs = TilePacks<Size>;
    __shared__ typename Packs::Scratch scratch;
    __shared__ float means[widest_tile];
    const Packs tile(plan);
    RowStatistics<Size> own;
    tile.template for_each<rows_together<Size>>(
        [&](std::int64_t place) { return load_pack<Size>(x + place, 0); },
        [&](const auto& values, int count) { own.add(values, count); });
    if (tile.has_first_row())
        for (int k = 0; k < Size; ++k) means[tile.first_column() + k] = own.mean.at[k];
    __syncthreads();
    const float share = own.count / static_cast<float>(rows_of_chunk(plan, blockIdx.y));
    typename Packs::Sums distances;
    for (int k = 0; k < Size; ++k)
        distances.at[k] = share * (own.mean.at[k] - means[tile.first_column() + k]);
    const float distance = tile.total(distances, scratch);
    float chunk_mean = 0.0F;
    if (tile.thread() < plan.tile) {
        chunk_mean = means[tile.thread()] + distance;
        means[tile.thread()] = chunk_mean;
    }
    __syncthreads();
    for (int k = 0; k < Size; ++k) {
        const float deviation = own.mean.at[k] - means[tile.first_column() + k];
        own.squares.at[k] += own.count * deviation * deviation;
    }
    const float chunk_squares = tile.total(own.squares, scratch);
    if (tile.writes_column()) {
        out.first[blockIdx.y * plan.cols + tile.column()] = chunk_mean;
        out.second[blockIdx.y * plan.cols + tile.column()] = chunk_squares;
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

struct ChunkPair {
    float first, second;
};
__device__ ChunkPair chunk_pair(const Workspace& from, std::int64_t place) {
    return {from.first[place], from.second[place]};
}

// The deviations inside the chunks, and those of the chunks' means: both about the first chunk's,
// so that one reading is enough.
__global__ void __launch_bounds__(most_chunk_threads)
    batch_statistics_kernel(BatchNormTraining p, Workspace in, ColumnPlan plan) {
    __shared__ ChunkScratch scratch;
    const std::int64_t col = chunks_column();
    const double about = col < plan.cols ? double{in.first[col]} : 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for_each_chunk(
        plan, [&](std::int64_t place) { return chunk_pair(in, place); },
        [&](std::int64_t chunk, const ChunkPair& pair) {
            const double distance = double{pair.first} - about;
            const double weighed = static_cast<double>(rows_of_chunk(plan, chunk)) * distance;
            sum += weighed;
            squares += double{pair.second} + weighed * distance;
        });
    const auto rows = static_cast<double>(plan.rows);
    const double distance = column_total(sum, scratch) / rows;
    const double variance = column_total(squares, scratch) / rows - distance * distance;
    if (writes_chunks_column(plan))
        set_statistics(p, col, about + distance, variance < 0.0 ? 0.0 : variance);
}

__global__ void given_statistics_kernel(BatchNormTraining p, const float* mean,
                                        const float* variance, std::int64_t channels) {
    for (std::int64_t c = first_item(); c < channels; c += item_stride()) {
        set_statistics(p, c, mean[c], variance[c]);
    }
}

template <int Size, class T>
__global__ void deviation_partial_kernel(float* partial, const T* x, const float* mean,
                                         ColumnPlan plan) {
    using Packs = TilePacks<Size>;
    __shared__ typename Packs::Scratch scratch;
    const Packs tile(plan);
    const typename Packs::Sums center = tile.of_columns(mean);
    typename Packs::Sums squares{};
    tile.template for_each_row<rows_together<Size>>(
        [&](std::int64_t place) { return load_pack<Size>(x + place, 0); },
        [&](const Pack<T, Size>& values) {
            STRATA_UNROLL
            for (int k = 0; k < Size; ++k) {
                const float deviation = to_float(values.at[k]) - center.at[k];
                squares.at[k] += deviation * deviation;
            }
        });
    const float total = tile.total(squares, scratch);
    if (tile.writes_column()) partial[blockIdx.y * plan.cols + tile.column()] = total;
}

__global__ void __launch_bounds__(most_chunk_threads)
    deviation_total_kernel(float* sums, const float* partial, ColumnPlan plan) {
    __shared__ ChunkScratch scratch;
    const double sum = chunk_sum(partial, plan, scratch);
    if (writes_chunks_column(plan)) sums[chunks_column()] = static_cast<float>(sum);
}

template <int Size, class T>
struct GradientPacks {
    Pack<T, Size> dy, x;
};

// Per chunk: sum of dy * xhat and sum of dy, with xhat = (x - mean) * inverse_deviation.
template <int Size, class T>
__global__ void gradient_partial_kernel(Workspace out, const T* dy, const T* x, BatchNormBackward p,
                                        ColumnPlan plan) {
    using Packs = TilePacks<Size>;
    __shared__ typename Packs::Scratch scratch;
    const Packs tile(plan);
    const typename Packs::Sums mean = tile.of_columns(p.mean);
    typename Packs::Sums scaled{};
    typename Packs::Sums plain{};
    tile.template for_each_row<rows_together<Size, 2>>(
        [&](std::int64_t place) {
            return GradientPacks<Size, T>{load_pack<Size>(dy + place, 0),
                                          load_pack<Size>(x + place, 0)};
        },
        [&](const GradientPacks<Size, T>& at) {
            STRATA_UNROLL
            for (int k = 0; k < Size; ++k) {
                const float g = to_float(at.dy.at[k]);
                scaled.at[k] += g * (to_float(at.x.at[k]) - mean.at[k]);
                plain.at[k] += g;
            }
        });
    const float dgamma = tile.total(scaled, scratch);
    const float dbeta = tile.total(plain, scratch);
    if (tile.writes_column()) {
        const std::int64_t col = tile.column();
        out.first[blockIdx.y * plan.cols + col] = dgamma * p.inverse_deviation[col];
        out.second[blockIdx.y * plan.cols + col] = dbeta;
    }
}

// dgamma, dbeta, and both divided by the number of rows for the last pass.
__global__ void __launch_bounds__(most_chunk_threads)
    gradient_total_kernel(BatchNormBackward p, Workspace w, ColumnPlan plan) {
    __shared__ ChunkScratch scratch;
    const std::int64_t col = chunks_column();
    double scaled = 0.0;
    double plain = 0.0;
    for_each_chunk(
        plan, [&](std::int64_t place) { return chunk_pair(w, place); },
        [&](std::int64_t, const ChunkPair& pair) {
            scaled += double{pair.first};
            plain += double{pair.second};
        });
    const double dgamma = column_total(scaled, scratch);
    const double dbeta = column_total(plain, scratch);
    if (!writes_chunks_column(plan)) return;
    p.dgamma[col] = static_cast<float>(dgamma);
    p.dbeta[col] = static_cast<float>(dbeta);
    w.channel_first[col] = static_cast<float>(dgamma / static_cast<double>(plan.rows));
    w.channel_second[col] = static_cast<float>(dbeta / static_cast<double>(plan.rows));
}

// One of a kernel's two forms: whether the channels lie in whole packs of T.
template <class T, class Kernel>
Kernel* wide_or_not(BatchNormShape shape, std::initializer_list<const void*> arrays, Kernel* wide,
                    Kernel* one) {
    return has_packs<pack_size<T>, T>(shape.channels, arrays) ? wide : one;
}

}  // namespace

std::size_t batch_norm_workspace_bytes(BatchNormShape shape) {
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    return static_cast<std::size_t>(2 * (plan.chunks + 1) * plan.cols) * sizeof(float);
}

template <class T>
cudaError_t batch_norm_training(T* y, const T* x, BatchNormShape shape,
                                BatchNormTraining parameters, void* workspace,
                                cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    if (shape.rows == 0) return cudaSuccess;
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    const Workspace w = cut(workspace, plan);
    const auto statistics = wide_or_not<T>(shape, {x}, chunk_statistics_kernel<pack_size<T>, T>,
                                           chunk_statistics_kernel<1, T>);
    cudaError_t error = launch(statistics, plan.tiles(), stream, w, x, plan);
    if (error != cudaSuccess) return error;
    error = launch(batch_statistics_kernel, plan.columns(), stream, parameters, w, plan);
    if (error != cudaSuccess) return error;
    return batch_norm_apply(y, x, shape, parameters, stream);
}

template <class T>
cudaError_t batch_norm_with_statistics(T* y, const T* x, BatchNormShape shape,
                                       BatchNormTraining parameters, const float* mean,
                                       const float* variance, cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    const cudaError_t error = launch(given_statistics_kernel, linear_shape(shape.channels), stream,
                                     parameters, mean, variance, shape.channels);
    return error != cudaSuccess ? error : batch_norm_apply(y, x, shape, parameters, stream);
}

template <class T>
cudaError_t squared_deviations(float* sums, const T* x, const float* mean, BatchNormShape shape,
                               void* workspace, cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    auto* partial = static_cast<float*>(workspace);
    const auto deviations = wide_or_not<T>(shape, {x}, deviation_partial_kernel<pack_size<T>, T>,
                                           deviation_partial_kernel<1, T>);
    const cudaError_t error = launch(deviations, plan.tiles(), stream, partial, x, mean, plan);
    if (error != cudaSuccess) return error;
    return launch(deviation_total_kernel, plan.columns(), stream, sums,
                  static_cast<const float*>(partial), plan);
}

template <class T>
cudaError_t batch_norm_gradient_sums(const T* dy, const T* x, BatchNormShape shape,
                                     BatchNormBackward parameters, void* workspace,
                                     cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    const ColumnPlan plan = plan_columns(shape.rows, shape.channels);
    const Workspace w = cut(workspace, plan);
    const auto sums = wide_or_not<T>(shape, {dy, x}, gradient_partial_kernel<pack_size<T>, T>,
                                     gradient_partial_kernel<1, T>);
    const cudaError_t error = launch(sums, plan.tiles(), stream, w, dy, x, parameters, plan);
    if (error != cudaSuccess) return error;
    return launch(gradient_total_kernel, plan.columns(), stream, parameters, w, plan);
}

template <class T>
cudaError_t batch_norm_backward(T* dx, const T* dy, const T* x, BatchNormShape shape,
                                BatchNormBackward parameters, void* workspace,
                                cudaStream_t stream) {
    const cudaError_t error = batch_norm_gradient_sums(dy, x, shape, parameters, workspace, stream);
    if (error != cudaSuccess) return error;
    const Workspace w = cut(workspace, plan_columns(shape.rows, shape.channels));
    return batch_norm_input_gradient(dx, dy, x, shape, parameters, w.channel_first,
                                     w.channel_second, stream);
}

#define STRATA_BATCH_NORM(T)                                                                       \
    template cudaError_t batch_norm_training(T*, const T*, BatchNormShape, BatchNormTraining,      \
                                             void*, cudaStream_t);                                 \
    template cudaError_t batch_norm_with_statistics(T*, const T*, BatchNormShape,                  \
                                                    BatchNormTraining, const float*, const float*, \
                                                    cudaStream_t);                                 \
    template cudaError_t squared_deviations(float*, const T*, const float*, BatchNormShape, void*, \
                                            cudaStream_t);                                         \
    template cudaError_t batch_norm_gradient_sums(const T*, const T*, BatchNormShape,              \
                                                  BatchNormBackward, void*, cudaStream_t);         \
    template cudaError_t batch_norm_backward(T*, const T*, const T*, BatchNormShape,               \
                                             BatchNormBackward, void*, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_BATCH_NORM)
#undef STRATA_BATCH_NORM

}  // namespace strata::kernels
