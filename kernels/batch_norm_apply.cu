// Batch normalisation's passes over all elements, by what is known of each channel.
#include <numeric>

#include "kernels/batch_norm.h"
#include "kernels/common/columns.h"
#include "kernels/common/map.h"
#include "kernels/common/storage.h"

namespace strata::kernels {
namespace {

// Packs of Size elements of one row each. A thread takes every stride-th pack, where the stride is
// whole rows: it stays in its channels, whose numbers are read once and kept in registers.
// Otherwise those reads, though from a cache, would outnumber the elements'.
//
// From the end, for two readings of x: its mean has to be known before the first result, and the
// second reading begins where the first ended, with what the L2 still holds. An L2 of x's size then
// spares half of it, one of twice the size all. A single cooperative launch could hold x in shared
// memory from the one to the other, but there is less of it than of L2 on nearly every GPU: all
// multiprocessors together have 2.5 MiB beside an L2 of 4 on a T4, 17 beside 40 on an A100, 2.7
// beside 3 on an RTX 3060, 12 beside 72 on an RTX 4090, 29 beside 50 on an H200. What fits there is
// read from the L2 here; and a grid that waits for itself has to be resident as a whole beside
// whatever runs on other streams.
struct RowPacks {
    std::int64_t packs;    // of the array
    std::int64_t per_row;  // at least 1

    LaunchShape shape() const {
        constexpr std::int64_t fill = 512, most = 2048, packs_each = 4;
        const std::int64_t each_one = ceil_divide(packs, block_size);
        std::int64_t blocks = ceil_divide(each_one, packs_each);
        if (blocks < fill) blocks = each_one < fill ? each_one : fill;
        if (blocks > most) blocks = most;
        const std::int64_t whole = per_row / std::gcd(per_row, std::int64_t{block_size});
        return {dim3(static_cast<unsigned>(ceil_divide(blocks, whole) * whole)), dim3(block_size)};
    }
    // visit(pack) for the thread's packs.
    template <class Visit>
    __device__ void for_each(Visit visit) const {
        for (std::int64_t p = packs - 1 - first_item(); p >= 0; p -= item_stride()) visit(p);
    }
    // visit(pack, what load(pack) gives) for them, two at a time.
    template <class Load, class Visit>
    __device__ void for_each_two(Load load, Visit visit) const {
        const std::int64_t last = packs - 1;
        strata::kernels::for_each_two(
            packs, [&](std::int64_t p) { return load(last - p); },
            [&](std::int64_t p, const auto& values) { visit(last - p, values); });
    }
    // The pack of channels that all of them are of.
    __device__ std::int64_t own_channels() const { return per_row - 1 - first_item() % per_row; }
    __device__ bool has_none() const { return first_item() >= packs; }
};

// y = (x - center) * factor + offset
template <int Size, class T>
__device__ void scale_rows(T* y, const T* x, const RowPacks& rows, const Pack<float, Size>& center,
                           const Pack<float, Size>& factor, const Pack<float, Size>& offset) {
    rows.for_each_two(
        [&](std::int64_t p) { return load_pack<Size>(x, p); },
        [&](std::int64_t p, Pack<T, Size> values) {
            for (int k = 0; k < Size; ++k)
                values.at[k] = rounded<T>((to_float(values.at[k]) - center.at[k]) * factor.at[k] +
                                          offset.at[k]);
            store_pack(y, p, values);
        });
}

template <int Size, class T>
__global__ void normalize_kernel(T* y, const T* x, BatchNormTraining p, RowPacks rows) {
    if (rows.has_none()) return;
    const std::int64_t own = rows.own_channels();
    auto factor = load_floats<Size>(p.inverse_deviation, own);
    const auto gamma = load_floats<Size>(p.gamma, own);
    for (int k = 0; k < Size; ++k) factor.at[k] *= gamma.at[k];
    scale_rows(y, x, rows, load_floats<Size>(p.mean, own), factor, load_floats<Size>(p.beta, own));
}

template <int Size, class T>
__global__ void inference_kernel(T* y, const T* x, const float* mean, const float* variance,
                                 const float* gamma, const float* beta, float epsilon,
                                 RowPacks rows) {
    if (rows.has_none()) return;
    const std::int64_t own = rows.own_channels();
    auto factor = load_floats<Size>(gamma, own);
    const auto spread = load_floats<Size>(variance, own);
    for (int k = 0; k < Size; ++k) factor.at[k] /= sqrtf(spread.at[k] + epsilon);
    scale_rows(y, x, rows, load_floats<Size>(mean, own), factor, load_floats<Size>(beta, own));
}

// dx = gamma * inverse_deviation * (dy - mean of dy - xhat * mean of dy xhat)
template <int Size, class T>
__global__ void input_gradient_kernel(T* dx, const T* dy, const T* x, BatchNormBackward p,
                                      const float* mean_scaled, const float* mean_plain,
                                      RowPacks rows) {
    if (rows.has_none()) return;
    const std::int64_t own = rows.own_channels();
    const auto mean = load_floats<Size>(p.mean, own);
    const auto plain = load_floats<Size>(mean_plain, own);
    auto factor = load_floats<Size>(p.inverse_deviation, own);
    auto slope = load_floats<Size>(mean_scaled, own);
    const auto gamma = load_floats<Size>(p.gamma, own);
    for (int k = 0; k < Size; ++k) {
        slope.at[k] *= factor.at[k];
        factor.at[k] *= gamma.at[k];
    }
    rows.for_each([&](std::int64_t i) {
        auto gradient = load_pack<Size>(dy, i);
        const auto values = load_pack<Size>(x, i);
        for (int k = 0; k < Size; ++k) {
            const float deviation = to_float(values.at[k]) - mean.at[k];
            gradient.at[k] = rounded<T>(
                factor.at[k] * (to_float(gradient.at[k]) - plain.at[k] - deviation * slope.at[k]));
        }
        store_pack(dx, i, gradient);
    });
}

// Calls launcher(size, rows) for a pass over arrays of T.
template <class T, class Launcher>
cudaError_t with_packs(BatchNormShape shape, std::initializer_list<const void*> arrays,
                       Launcher launcher) {
    constexpr int most = pack_size<T>;
    if (shape.rows == 0 || shape.channels == 0) return cudaSuccess;
    if (has_packs<most, T>(shape.channels, arrays)) {
        const std::int64_t per_row = shape.channels / most;
        return launcher(std::integral_constant<int, most>{},
                        RowPacks{shape.rows * per_row, per_row});
    }
    return launcher(std::integral_constant<int, 1>{},
                    RowPacks{shape.rows * shape.channels, shape.channels});
}

}  // namespace

template <class T>
cudaError_t batch_norm_apply(T* y, const T* x, BatchNormShape shape,
                             const BatchNormTraining& parameters, cudaStream_t stream) {
    return with_packs<T>(shape, {y, x}, [&](auto size, const RowPacks& rows) {
        return launch(normalize_kernel<decltype(size)::value, T>, rows.shape(), stream, y, x,
                      parameters, rows);
    });
}

template <class T>
cudaError_t batch_norm_inference(T* y, const T* x, BatchNormShape shape, const float* gamma,
                                 const float* beta, const float* moving_mean,
                                 const float* moving_variance, float epsilon, cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    return with_packs<T>(shape, {y, x}, [&](auto size, const RowPacks& rows) {
        return launch(inference_kernel<decltype(size)::value, T>, rows.shape(), stream, y, x,
                      moving_mean, moving_variance, gamma, beta, epsilon, rows);
    });
}

template <class T>
cudaError_t batch_norm_input_gradient(T* dx, const T* dy, const T* x, BatchNormShape shape,
                                      BatchNormBackward parameters, const float* mean_scaled,
                                      const float* mean_plain, cudaStream_t stream) {
    if (shape.rows < 0 || shape.channels < 0) return cudaErrorInvalidValue;
    return with_packs<T>(shape, {dx, dy, x}, [&](auto size, const RowPacks& rows) {
        return launch(input_gradient_kernel<decltype(size)::value, T>, rows.shape(), stream, dx, dy,
                      x, parameters, mean_scaled, mean_plain, rows);
    });
}

#define STRATA_BATCH_NORM(T)                                                                      \
    template cudaError_t batch_norm_apply(T*, const T*, BatchNormShape, const BatchNormTraining&, \
                                          cudaStream_t);                                          \
    template cudaError_t batch_norm_inference(T*, const T*, BatchNormShape, const float*,         \
                                              const float*, const float*, const float*, float,    \
                                              cudaStream_t);                                      \
    template cudaError_t batch_norm_input_gradient(T*, const T*, const T*, BatchNormShape,        \
                                                   BatchNormBackward, const float*, const float*, \
                                                   cudaStream_t);
STRATA_EACH_STORAGE(STRATA_BATCH_NORM)
#undef STRATA_BATCH_NORM

}  // namespace strata::kernels
