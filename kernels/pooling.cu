// Pooling, forward and backward. A backward pass gathers: each cell looks for the windows that read
// it, so that no two threads add to one place and the result is the same on every run.
#include "kernels/pooling.h"

#include <algorithm>
#include <type_traits>

#include "kernels/common/columns.h"
#include "kernels/common/window_walk.h"

namespace strata::kernels {
namespace {

// Neighbouring channels go together, Size of them in one access: for a kernel they are one channel
// of a walk that has so many fewer.
template <int Size, class T>
__device__ Pack<float, Size> load_floats(const T* array, std::int64_t pack) {
    const auto stored = load_pack<Size>(array, pack);
    Pack<float, Size> values;
    STRATA_UNROLL
    for (int k = 0; k < Size; ++k) values.at[k] = to_float(stored.at[k]);
    return values;
}
template <int Size, class T>
__device__ void store_rounded(T* array, std::int64_t pack, const Pack<float, Size>& values) {
    Pack<T, Size> stored;
    STRATA_UNROLL
    for (int k = 0; k < Size; ++k) stored.at[k] = rounded<T>(values.at[k]);
    store_pack(array, pack, stored);
}

template <int Size, class T, class Index>
__global__ void max_forward_kernel(T* y, std::uint8_t* argmax, const T* x, WindowWalk walk,
                                   Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.output_place(i);
        Pack<float, Size> best;
        Pack<std::uint8_t, Size> winner{};
        for (float& value : best.at) value = -INFINITY;
        bool found = false;
        for (int kh = 0; kh < walk.window.kernel_h; ++kh) {
            const int h = walk.input_row(at.row, kh);
            if (!walk.has_row(h)) continue;
            for (int kw = 0; kw < walk.window.kernel_w; ++kw) {
                const int w = walk.input_col(at.col, kw);
                if (!walk.has_col(w)) continue;
                const auto values =
                    load_floats<Size>(x, walk.input_index<Index>(at.image, h, w, at.channel));
                STRATA_UNROLL
                for (int k = 0; k < Size; ++k) {
                    const float value = values.at[k];
                    float& most = best.at[k];
                    if (found && !(value > most) && (value == value || most != most)) continue;
                    most = value;
                    winner.at[k] = static_cast<std::uint8_t>(kh * walk.window.kernel_w + kw);
                }
                found = true;
            }
        }
        store_rounded(y, i, best);
        if (argmax != nullptr) store_pack(argmax, i, winner);
    }
}

template <int Size, class T, class Index>
__global__ void max_backward_kernel(T* dx, const T* dy, const std::uint8_t* argmax,
                                    const T* relu_output, WindowWalk walk, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.input_place(i);
        Pack<float, Size> sum{};
        walk.for_each_reader(at.row, at.col, [&](int oh, int ow, int cell) {
            const Index o = walk.output_index<Index>(at.image, oh, ow, at.channel);
            const auto winner = load_pack<Size>(argmax, o);
            bool any = false;
            STRATA_UNROLL
            for (int k = 0; k < Size; ++k) any = any || winner.at[k] == cell;
            if (!any) return;
            const auto gradient = load_floats<Size>(dy, o);
            Pack<float, Size> forward;
            if (relu_output != nullptr) forward = load_floats<Size>(relu_output, o);
            STRATA_UNROLL
            for (int k = 0; k < Size; ++k) {
                const bool wins = winner.at[k] == cell;
                if (wins && (relu_output == nullptr || forward.at[k] > 0.0F))
                    sum.at[k] += gradient.at[k];
            }
        });
        store_rounded(dx, i, sum);
    }
}

template <int Size, class T, class Index>
__global__ void average_forward_kernel(T* y, const T* x, WindowWalk walk, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.output_place(i);
        Pack<float, Size> sum{};
        for (int kh = 0; kh < walk.window.kernel_h; ++kh) {
            const int h = walk.input_row(at.row, kh);
            if (!walk.has_row(h)) continue;
            for (int kw = 0; kw < walk.window.kernel_w; ++kw) {
                const int w = walk.input_col(at.col, kw);
                if (!walk.has_col(w)) continue;
                const auto values =
                    load_floats<Size>(x, walk.input_index<Index>(at.image, h, w, at.channel));
                STRATA_UNROLL
                for (int k = 0; k < Size; ++k) sum.at[k] += values.at[k];
            }
        }
        const int cells = walk.cells_inside(at.row, at.col);
        STRATA_UNROLL
        for (int k = 0; k < Size; ++k)
            sum.at[k] = cells > 0 ? sum.at[k] / static_cast<float>(cells) : 0.0F;
        store_rounded(y, i, sum);
    }
}

template <int Size, class T, class Index>
__global__ void average_backward_kernel(T* dx, const T* dy, WindowWalk walk, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.input_place(i);
        Pack<float, Size> sum{};
        walk.for_each_reader(at.row, at.col, [&](int oh, int ow, int) {
            const auto gradient =
                load_floats<Size>(dy, walk.output_index<Index>(at.image, oh, ow, at.channel));
            const auto cells = static_cast<float>(walk.cells_inside(oh, ow));
            STRATA_UNROLL
            for (int k = 0; k < Size; ++k) sum.at[k] += gradient.at[k] / cells;
        });
        store_rounded(dx, i, sum);
    }
}

// A block takes some channels of one image; its threads share the cells.
template <int Size, class T>
__global__ void global_forward_kernel(T* y, const T* x, ColumnPlan plan) {
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
    if (tile.writes_column())
        y[blockIdx.y * plan.cols + tile.column()] =
            rounded<T>(total / static_cast<float>(plan.rows_per_chunk));
}

template <int Size, class T, class Index>
__global__ void global_backward_kernel(T* dx, const T* dy, Index n, Divisor image_size,
                                       Divisor channels, float cells) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto width = static_cast<Index>(channels.value);
        const Index channel = i - channels.divide(i) * width;
        auto gradient = load_floats<Size>(dy, image_size.divide(i) * width + channel);
        STRATA_UNROLL
        for (int k = 0; k < Size; ++k) gradient.at[k] /= cells;
        store_rounded(dx, i, gradient);
    }
}

// Calls launcher(walk, size) with the channels that go together in arrays of T.
template <class T, class Launcher>
cudaError_t with_walk(ImageShape shape, Window2D window, std::initializer_list<const void*> arrays,
                      Launcher launcher) {
    if (!is_valid(shape, window)) return cudaErrorInvalidValue;
    constexpr int most = pack_size<T>;
    if (!has_packs<most, T>(shape.channels, arrays))
        return launcher(make_walk(shape, window), std::integral_constant<int, 1>{});
    shape.channels /= most;
    return launcher(make_walk(shape, window), std::integral_constant<int, most>{});
}

}  // namespace

template <class T>
cudaError_t max_pool_forward(T* y, std::uint8_t* argmax, const T* x, ImageShape shape,
                             Window2D window, cudaStream_t stream) {
    if (argmax != nullptr && window.kernel_h * window.kernel_w > 255) return cudaErrorInvalidValue;
    return with_walk<T>(shape, window, {y, x, argmax}, [&](const WindowWalk& walk, auto size) {
        return with_index_type(walk.largest(), [&](auto index) {
            using Index = decltype(index);
            return launch(max_forward_kernel<decltype(size)::value, T, Index>,
                          linear_shape(walk.outputs()), stream, y, argmax, x, walk,
                          static_cast<Index>(walk.outputs()));
        });
    });
}

template <class T>
cudaError_t max_pool_backward(T* dx, const T* dy, const std::uint8_t* argmax, const T* relu_output,
                              ImageShape shape, Window2D window, cudaStream_t stream) {
    return with_walk<T>(shape, window, {dx, dy, argmax, relu_output},
                        [&](const WindowWalk& walk, auto size) {
                            return with_index_type(walk.largest(), [&](auto index) {
                                using Index = decltype(index);
                                return launch(max_backward_kernel<decltype(size)::value, T, Index>,
                                              linear_shape(walk.cells()), stream, dx, dy, argmax,
                                              relu_output, walk, static_cast<Index>(walk.cells()));
                            });
                        });
}

template <class T>
cudaError_t average_pool_forward(T* y, const T* x, ImageShape shape, Window2D window,
                                 cudaStream_t stream) {
    return with_walk<T>(shape, window, {y, x}, [&](const WindowWalk& walk, auto size) {
        return with_index_type(walk.largest(), [&](auto index) {
            using Index = decltype(index);
            return launch(average_forward_kernel<decltype(size)::value, T, Index>,
                          linear_shape(walk.outputs()), stream, y, x, walk,
                          static_cast<Index>(walk.outputs()));
        });
    });
}

template <class T>
cudaError_t average_pool_backward(T* dx, const T* dy, ImageShape shape, Window2D window,
                                  cudaStream_t stream) {
    return with_walk<T>(shape, window, {dx, dy}, [&](const WindowWalk& walk, auto size) {
        return with_index_type(walk.largest(), [&](auto index) {
            using Index = decltype(index);
            return launch(average_backward_kernel<decltype(size)::value, T, Index>,
                          linear_shape(walk.cells()), stream, dx, dy, walk,
                          static_cast<Index>(walk.cells()));
        });
    });
}

// The images are the chunks of a matrix (N * H * W, C).
template <class T>
cudaError_t global_average_pool_forward(T* y, const T* x, ImageShape shape, cudaStream_t stream) {
    if (!is_valid(shape, Window2D{})) return cudaErrorInvalidValue;
    constexpr int most_images = 65535;  // of a grid's second axis
    const std::int64_t cells = std::int64_t{shape.height} * shape.width;
    const auto kernel = has_packs<columns_together, T>(shape.channels, {x})
                            ? global_forward_kernel<columns_together, T>
                            : global_forward_kernel<1, T>;
    for (int first = 0; first < shape.batch; first += most_images) {
        const int images = std::min(most_images, shape.batch - first);
        const ColumnPlan plan{images * cells, shape.channels, cells, images};
        const cudaError_t error =
            launch(kernel, plan.tiles(), stream, y + std::int64_t{first} * shape.channels,
                   x + first * cells * shape.channels, plan);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

template <class T>
cudaError_t global_average_pool_backward(T* dx, const T* dy, ImageShape shape,
                                         cudaStream_t stream) {
    return with_walk<T>(shape, Window2D{}, {dx, dy}, [&](const WindowWalk& walk, auto size) {
        return with_index_type(walk.cells(), [&](auto index) {
            using Index = decltype(index);
            const std::int64_t cells = std::int64_t{shape.height} * shape.width;
            return launch(global_backward_kernel<decltype(size)::value, T, Index>,
                          linear_shape(walk.cells()), stream, dx, dy,
                          static_cast<Index>(walk.cells()), divisor_of(cells * walk.x.channels),
                          walk.channels, static_cast<float>(cells));
        });
    });
}

#define STRATA_INSTANTIATE(T)                                                                     \
    template cudaError_t max_pool_forward(T*, std::uint8_t*, const T*, ImageShape, Window2D,      \
                                          cudaStream_t);                                          \
    template cudaError_t max_pool_backward(T*, const T*, const std::uint8_t*, const T*,           \
                                           ImageShape, Window2D, cudaStream_t);                   \
    template cudaError_t average_pool_forward(T*, const T*, ImageShape, Window2D, cudaStream_t);  \
    template cudaError_t average_pool_backward(T*, const T*, ImageShape, Window2D, cudaStream_t); \
    template cudaError_t global_average_pool_forward(T*, const T*, ImageShape, cudaStream_t);     \
    template cudaError_t global_average_pool_backward(T*, const T*, ImageShape, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
