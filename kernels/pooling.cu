// Pooling, forward and backward. A backward pass gathers: each cell looks for the windows that read
// it, so that no two threads add to one place and the result is the same on every run.
#include "kernels/pooling.h"

#include "kernels/common/reduce.h"
#include "kernels/common/storage.h"
#include "kernels/common/window_walk.h"

namespace strata::kernels {
namespace {

template <class T, class Index>
__global__ void max_forward_kernel(T* y, std::uint8_t* argmax, const T* x, WindowWalk walk,
                                   Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.output_place(i);
        float best = -INFINITY;
        int winner = 0;
        bool found = false;
        for (int kh = 0; kh < walk.window.kernel_h; ++kh) {
            const int h = walk.input_row(at.row, kh);
            if (!walk.has_row(h)) continue;
            for (int kw = 0; kw < walk.window.kernel_w; ++kw) {
                const int w = walk.input_col(at.col, kw);
                if (!walk.has_col(w)) continue;
                const float value =
                    to_float(x[walk.input_index<Index>(at.image, h, w, at.channel)]);
                if (!found || value > best || (value != value && best == best)) {
                    best = value;
                    winner = kh * walk.window.kernel_w + kw;
                    found = true;
                }
            }
        }
        y[i] = rounded<T>(best);
        if (argmax != nullptr) argmax[i] = static_cast<std::uint8_t>(winner);
    }
}

template <class T, class Index>
__global__ void max_backward_kernel(T* dx, const T* dy, const std::uint8_t* argmax,
                                    const T* relu_output, WindowWalk walk, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.input_place(i);
        float sum = 0.0F;
        walk.for_each_reader(at.row, at.col, [&](int oh, int ow, int cell) {
            const Index o = walk.output_index<Index>(at.image, oh, ow, at.channel);
            const bool wins = argmax[o] == cell;
            if (wins && (relu_output == nullptr || to_float(relu_output[o]) > 0.0F)) {
                sum += to_float(dy[o]);
            }
        });
        dx[i] = rounded<T>(sum);
    }
}

template <class T, class Index>
__global__ void average_forward_kernel(T* y, const T* x, WindowWalk walk, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.output_place(i);
        float sum = 0.0F;
        for (int kh = 0; kh < walk.window.kernel_h; ++kh) {
            const int h = walk.input_row(at.row, kh);
            if (!walk.has_row(h)) continue;
            for (int kw = 0; kw < walk.window.kernel_w; ++kw) {
                const int w = walk.input_col(at.col, kw);
                if (walk.has_col(w)) {
                    sum += to_float(x[walk.input_index<Index>(at.image, h, w, at.channel)]);
                }
            }
        }
        const int cells = walk.cells_inside(at.row, at.col);
        y[i] = rounded<T>(cells > 0 ? sum / static_cast<float>(cells) : 0.0F);
    }
}

template <class T, class Index>
__global__ void average_backward_kernel(T* dx, const T* dy, WindowWalk walk, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.input_place(i);
        float sum = 0.0F;
        walk.for_each_reader(at.row, at.col, [&](int oh, int ow, int) {
            sum += to_float(dy[walk.output_index<Index>(at.image, oh, ow, at.channel)]) /
                   static_cast<float>(walk.cells_inside(oh, ow));
        });
        dx[i] = rounded<T>(sum);
    }
}

constexpr int cell_threads = block_size / warp_size;

// A block takes 32 channels of one image; its warps share the cells.
template <class T>
__global__ void global_forward_kernel(T* y, const T* x, std::int64_t cells, int channels) {
    __shared__ float tile[cell_threads][warp_size];
    const int tiles = (channels + warp_size - 1) / warp_size;
    const std::int64_t image = blockIdx.x / tiles;
    const int c = static_cast<int>(blockIdx.x % tiles) * warp_size + static_cast<int>(threadIdx.x);
    float sum = 0.0F;
    if (c < channels) {
        for (std::int64_t k = threadIdx.y; k < cells; k += cell_threads) {
            sum += to_float(x[(image * cells + k) * channels + c]);
        }
    }
    tile[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || c >= channels) return;
    for (int r = 1; r < cell_threads; ++r) sum += tile[r][threadIdx.x];
    y[image * channels + c] = rounded<T>(sum / static_cast<float>(cells));
}

template <class T, class Index>
__global__ void global_backward_kernel(T* dx, const T* dy, Index n, Index cells, Index channels) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const Index image = i / (cells * channels);
        dx[i] =
            rounded<T>(to_float(dy[image * channels + i % channels]) / static_cast<float>(cells));
    }
}

// launcher(walk, Index{}, n) with n outputs (forward) or cells (backward).
template <class Launcher>
cudaError_t walk_outputs(ImageShape shape, Window2D window, Launcher launcher) {
    if (!is_valid(shape, window)) return cudaErrorInvalidValue;
    const WindowWalk walk = make_walk(shape, window);
    return with_index_type(walk.largest(), [&](auto index) {
        return launcher(walk, static_cast<decltype(index)>(walk.outputs()));
    });
}
template <class Launcher>
cudaError_t walk_cells(ImageShape shape, Window2D window, Launcher launcher) {
    if (!is_valid(shape, window)) return cudaErrorInvalidValue;
    const WindowWalk walk = make_walk(shape, window);
    return with_index_type(walk.largest(), [&](auto index) {
        return launcher(walk, static_cast<decltype(index)>(walk.cells()));
    });
}

}  // namespace

template <class T>
cudaError_t max_pool_forward(T* y, std::uint8_t* argmax, const T* x, ImageShape shape,
                             Window2D window, cudaStream_t stream) {
    if (argmax != nullptr && window.kernel_h * window.kernel_w > 255) return cudaErrorInvalidValue;
    return walk_outputs(shape, window, [&](const WindowWalk& walk, auto n) {
        return launch(max_forward_kernel<T, decltype(n)>, linear_shape(n), stream, y, argmax, x,
                      walk, n);
    });
}

template <class T>
cudaError_t max_pool_backward(T* dx, const T* dy, const std::uint8_t* argmax, const T* relu_output,
                              ImageShape shape, Window2D window, cudaStream_t stream) {
    return walk_cells(shape, window, [&](const WindowWalk& walk, auto n) {
        return launch(max_backward_kernel<T, decltype(n)>, linear_shape(n), stream, dx, dy, argmax,
                      relu_output, walk, n);
    });
}

template <class T>
cudaError_t average_pool_forward(T* y, const T* x, ImageShape shape, Window2D window,
                                 cudaStream_t stream) {
    return walk_outputs(shape, window, [&](const WindowWalk& walk, auto n) {
        return launch(average_forward_kernel<T, decltype(n)>, linear_shape(n), stream, y, x, walk,
                      n);
    });
}

template <class T>
cudaError_t average_pool_backward(T* dx, const T* dy, ImageShape shape, Window2D window,
                                  cudaStream_t stream) {
    return walk_cells(shape, window, [&](const WindowWalk& walk, auto n) {
        return launch(average_backward_kernel<T, decltype(n)>, linear_shape(n), stream, dx, dy,
                      walk, n);
    });
}

template <class T>
cudaError_t global_average_pool_forward(T* y, const T* x, ImageShape shape, cudaStream_t stream) {
    if (!is_valid(shape, Window2D{})) return cudaErrorInvalidValue;
    const std::int64_t tiles = ceil_divide(shape.channels, warp_size);
    const LaunchShape blocks{dim3(static_cast<unsigned>(shape.batch * tiles)),
                             dim3(warp_size, cell_threads)};
    return launch(global_forward_kernel<T>, blocks, stream, y, x,
                  std::int64_t{shape.height} * shape.width, shape.channels);
}

template <class T>
cudaError_t global_average_pool_backward(T* dx, const T* dy, ImageShape shape,
                                         cudaStream_t stream) {
    if (!is_valid(shape, Window2D{})) return cudaErrorInvalidValue;
    const std::int64_t cells = std::int64_t{shape.height} * shape.width;
    const std::int64_t n = shape.batch * cells * shape.channels;
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return launch(global_backward_kernel<T, Index>, linear_shape(n), stream, dx, dy,
                      static_cast<Index>(n), static_cast<Index>(cells),
                      static_cast<Index>(shape.channels));
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
