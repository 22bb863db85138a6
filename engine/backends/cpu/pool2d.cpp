// Max and average pooling, vectors over the channels.
#include <algorithm>
#include <limits>

#include "engine/backends/cpu/activation_functions.h"
#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/pool_kernels.h"
#include "engine/backends/cpu/simd.h"
#include "engine/backends/cpu/window.h"
#include "engine/ops/pool2d_operands.h"

namespace strata::cpu {
namespace {

constexpr int most_cells = ops::most_argmax_cells;

// The window's cells that lie inside the image: [begin, end) of kernel positions on one axis.
struct Cells {
    std::int64_t begin, end;
};

STRATA_INLINE Cells cells_inside(std::int64_t first, int kernel, int dilation,
                                 std::int64_t extent) {
    const std::int64_t begin = first >= 0 ? 0 : divide_up(-first, dilation);
    const std::int64_t end =
        first >= extent ? 0 : std::min<std::int64_t>(kernel, divide_up(extent - first, dilation));
    return {begin, end};
}

// y and argmax of one window; x points at the image.
template <bool WithArgmax>
STRATA_INLINE void max_window(const WindowSizes& s, const float* x, std::int64_t oh,
                              std::int64_t ow, float* y, std::uint8_t* argmax) {
    const ops::Window2D& w = s.window;
    const Cells rows = cells_inside(s.top(oh), w.kernel_h, w.dilation_h, s.h);
    const Cells columns = cells_inside(s.left(ow), w.kernel_w, w.dilation_w, s.w);
    const std::int64_t c = s.c;
    bool first = true;
    for (std::int64_t kh = rows.begin; kh < rows.end; ++kh) {
        for (std::int64_t kw = columns.begin; kw < columns.end; ++kw) {
            const float* cell =
                x + ((s.top(oh) + kh * w.dilation_h) * s.w + s.left(ow) + kw * w.dilation_w) * c;
            const auto position = static_cast<std::uint8_t>(kh * w.kernel_w + kw);
            if (first) {  // NOLINT(bugprone-branch-clone): it sees only the two pragmas
#pragma omp simd
                for (std::int64_t i = 0; i < c; ++i) {
                    y[i] = cell[i];
                    if constexpr (WithArgmax) argmax[i] = position;
                }
            } else {
#pragma omp simd
                for (std::int64_t i = 0; i < c; ++i) {
                    const bool larger = cell[i] > y[i];
                    y[i] = larger ? cell[i] : y[i];
                    if constexpr (WithArgmax) argmax[i] = larger ? position : argmax[i];
                }
            }
            first = false;
        }
    }
    if (first) {  // the window lies in the padding altogether
        std::fill(y, y + c, -std::numeric_limits<float>::infinity());
        if constexpr (WithArgmax) std::fill(argmax, argmax + c, std::uint8_t{0});
    }
}

STRATA_INLINE void average_window(const WindowSizes& s, const float* x, std::int64_t oh,
                                  std::int64_t ow, float* y) {
    const ops::Window2D& w = s.window;
    const Cells rows = cells_inside(s.top(oh), w.kernel_h, w.dilation_h, s.h);
    const Cells columns = cells_inside(s.left(ow), w.kernel_w, w.dilation_w, s.w);
    const std::int64_t count = std::max<std::int64_t>(rows.end - rows.begin, 0) *
                               std::max<std::int64_t>(columns.end - columns.begin, 0);
    const std::int64_t c = s.c;
    std::fill(y, y + c, 0.0F);
    for (std::int64_t kh = rows.begin; kh < rows.end; ++kh) {
        for (std::int64_t kw = columns.begin; kw < columns.end; ++kw) {
            const float* cell =
                x + ((s.top(oh) + kh * w.dilation_h) * s.w + s.left(ow) + kw * w.dilation_w) * c;
#pragma omp simd
            for (std::int64_t i = 0; i < c; ++i) y[i] += cell[i];
        }
    }
    const float factor = count > 0 ? 1.0F / static_cast<float>(count) : 0.0F;
#pragma omp simd
    for (std::int64_t i = 0; i < c; ++i) y[i] *= factor;
}

// window(image, oh, ow, first element of the result) for rows [begin, end) of all results.
template <typename Window>
STRATA_INLINE void over_rows(const WindowSizes& s, std::int64_t begin, std::int64_t end,
                             const Window& window) {
    for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t image = row / s.oh;
        const std::int64_t oh = row % s.oh;
        for (std::int64_t ow = 0; ow < s.ow; ++ow)
            window(image * s.h * s.w * s.c, oh, ow, (row * s.ow + ow) * s.c);
    }
}

// use(image, cells, first element of the result) for each window of rows [begin, end), for the
// kernels of pool_kernels.h; windows without a cell have count 0.
template <typename Use>
void over_windows(const WindowSizes& s, std::int64_t begin, std::int64_t end, const Use& use) {
    const ops::Window2D& w = s.window;
    std::int64_t at[most_cells];
    std::uint8_t position[most_cells];
    over_rows(s, begin, end,
              [&](std::int64_t image, std::int64_t oh, std::int64_t ow, std::int64_t result) {
                  const Cells rows = cells_inside(s.top(oh), w.kernel_h, w.dilation_h, s.h);
                  const Cells columns = cells_inside(s.left(ow), w.kernel_w, w.dilation_w, s.w);
                  WindowCells cells{0, at, position};
                  for (std::int64_t kh = rows.begin; kh < rows.end; ++kh)
                      for (std::int64_t kw = columns.begin; kw < columns.end; ++kw) {
                          at[cells.count] = ((s.top(oh) + kh * w.dilation_h) * s.w + s.left(ow) +
                                             kw * w.dilation_w) *
                                            s.c;
                          position[cells.count++] = static_cast<std::uint8_t>(kh * w.kernel_w + kw);
                      }
                  use(image, cells, result);
              });
}

bool has_vector_kernels(const WindowSizes& s) {
    return isa() != Isa::generic && s.window.kernel_h * s.window.kernel_w <= most_cells;
}

void max_forward_avx2(const WindowSizes& s, const Operands& o, std::uint8_t* argmax) {
    const float* x = o.in(0);
    float* y = o.out(0);
    const std::int64_t cost = s.ow * s.c * s.window.kernel_h * s.window.kernel_w * 4;
    for_range(o.threads, s.n * s.oh, cost, 1, [=, &s](std::int64_t begin, std::int64_t end) {
        over_windows(s, begin, end,
                     [=, &s](std::int64_t image, const WindowCells& cells, std::int64_t at) {
                         std::uint8_t* winner = argmax == nullptr ? nullptr : argmax + at;
                         if (cells.count > 0) {
                             max_window_avx2(x + image, cells, s.c, y + at, winner);
                             return;
                         }
                         std::fill_n(y + at, s.c, -std::numeric_limits<float>::infinity());
                         if (winner != nullptr) std::fill_n(winner, s.c, std::uint8_t{0});
                     });
    });
}

void max_backward_avx2(const WindowSizes& s, const float* dy, const std::uint8_t* argmax,
                       const float* y, float* dx, int threads) {
    const ops::Window2D& w = s.window;
    const std::int64_t image_size = s.h * s.w * s.c;
    const bool apart = w.dilation_h == 1 && w.dilation_w == 1 && w.stride_h >= w.kernel_h &&
                       w.stride_w >= w.kernel_w;
    const bool covers = apart && w.stride_h == w.kernel_h && w.stride_w == w.kernel_w &&
                        s.oh * w.stride_h == s.h && s.ow * w.stride_w == s.w;
    for_range(threads, s.n, 8 * image_size, 1, [=, &s](std::int64_t begin, std::int64_t end) {
        for (std::int64_t n = begin; n < end; ++n) {
            if (!covers) std::fill_n(dx + n * image_size, image_size, 0.0F);
            over_windows(s, n * s.oh, (n + 1) * s.oh,
                         [=, &s](std::int64_t image, const WindowCells& cells, std::int64_t at) {
                             max_window_backward_avx2(dy + at, argmax + at,
                                                      y == nullptr ? nullptr : y + at, cells, s.c,
                                                      !apart, dx + image);
                         });
        }
    });
}

void forward(const WindowSizes& s, ops::PoolKind kind, const Operands& o) {
    const float* x = o.in(0);
    float* y = o.out(0);
    std::uint8_t* argmax = o.outputs.size() > 1 ? o.out<std::uint8_t>(1) : nullptr;
    if (kind == ops::PoolKind::max && has_vector_kernels(s)) return max_forward_avx2(s, o, argmax);
    const std::int64_t cost = s.ow * s.c * s.window.kernel_h * s.window.kernel_w * 4;
    for_range(o.threads, s.n * s.oh, cost, 1, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            over_rows(s, begin, end,
                      [=](std::int64_t image, std::int64_t oh, std::int64_t ow, std::int64_t at)
                          STRATA_BODY {
                              if (kind == ops::PoolKind::average)
                                  average_window(s, x + image, oh, ow, y + at);
                              else if (argmax != nullptr)
                                  max_window<true>(s, x + image, oh, ow, y + at, argmax + at);
                              else
                                  max_window<false>(s, x + image, oh, ow, y + at, nullptr);
                          });
        });
    });
}

// Adds the gradient of one window to dx, which points at the image.
STRATA_INLINE void max_window_backward(const WindowSizes& s, const float* dy,
                                       const std::uint8_t* argmax, const float* y, std::int64_t oh,
                                       std::int64_t ow, float* dx) {
    const ops::Window2D& w = s.window;
    const Cells rows = cells_inside(s.top(oh), w.kernel_h, w.dilation_h, s.h);
    const Cells columns = cells_inside(s.left(ow), w.kernel_w, w.dilation_w, s.w);
    const std::int64_t c = s.c;
    for (std::int64_t kh = rows.begin; kh < rows.end; ++kh) {
        for (std::int64_t kw = columns.begin; kw < columns.end; ++kw) {
            float* cell =
                dx + ((s.top(oh) + kh * w.dilation_h) * s.w + s.left(ow) + kw * w.dilation_w) * c;
            const auto position = static_cast<std::uint8_t>(kh * w.kernel_w + kw);
            if (y != nullptr) {
#pragma omp simd
                for (std::int64_t i = 0; i < c; ++i)
                    cell[i] += (argmax[i] == position) & (y[i] > 0.0F) ? dy[i] : 0.0F;
            } else {
#pragma omp simd
                for (std::int64_t i = 0; i < c; ++i)
                    cell[i] += argmax[i] == position ? dy[i] : 0.0F;
            }
        }
    }
}

STRATA_INLINE void average_window_backward(const WindowSizes& s, const float* dy, std::int64_t oh,
                                           std::int64_t ow, float* dx) {
    const ops::Window2D& w = s.window;
    const Cells rows = cells_inside(s.top(oh), w.kernel_h, w.dilation_h, s.h);
    const Cells columns = cells_inside(s.left(ow), w.kernel_w, w.dilation_w, s.w);
    const std::int64_t count = (rows.end - rows.begin) * (columns.end - columns.begin);
    const float factor = count > 0 ? 1.0F / static_cast<float>(count) : 0.0F;
    const std::int64_t c = s.c;
    for (std::int64_t kh = rows.begin; kh < rows.end; ++kh) {
        for (std::int64_t kw = columns.begin; kw < columns.end; ++kw) {
            float* cell =
                dx + ((s.top(oh) + kh * w.dilation_h) * s.w + s.left(ow) + kw * w.dilation_w) * c;
#pragma omp simd
            for (std::int64_t i = 0; i < c; ++i) cell[i] += dy[i] * factor;
        }
    }
}

void backward(const WindowSizes& s, const ops::Pool2DBackward& op, const Operands& o) {
    const float* dy = o.in(0);
    const std::uint8_t* argmax = op.kind == ops::PoolKind::max ? o.in<std::uint8_t>(1) : nullptr;
    const float* y = op.relu_mask ? o.in(2) : nullptr;
    float* dx = o.out(0);
    if (argmax != nullptr && has_vector_kernels(s))
        return max_backward_avx2(s, dy, argmax, y, dx, o.threads);
    const std::int64_t image_size = s.h * s.w * s.c;
    for_range(o.threads, s.n, 8 * image_size, 1, [=](std::int64_t begin, std::int64_t end) {
        std::fill(dx + begin * image_size, dx + end * image_size, 0.0F);
        simd([=]() STRATA_BODY {
            over_rows(s, begin * s.oh, end * s.oh,
                      [=](std::int64_t image, std::int64_t oh, std::int64_t ow, std::int64_t at)
                          STRATA_BODY {
                              if (argmax == nullptr)
                                  average_window_backward(s, dy + at, oh, ow, dx + image);
                              else
                                  max_window_backward(s, dy + at, argmax + at,
                                                      y == nullptr ? nullptr : y + at, oh, ow,
                                                      dx + image);
                          });
        });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Pool2D& op) {
    ops::expect_pool2d(request, op);
    const WindowSizes sizes =
        window_sizes(request, request.inputs[0].shape, request.outputs[0].shape, op.window);
    ops::expect_pool2d_fit(request, op);
    if (has_16_bit(request)) return sliced_kernel(request, SliceUnit::sample, op);
    return function_kernel(request.device,
                           [sizes, kind = op.kind](const Operands& o, const ops::StepScalars&) {
                               forward(sizes, kind, o);
                           });
}

KernelPtr make_kernel(const Request& request, const ops::Pool2DBackward& op) {
    ops::expect_pool2d(request, op);
    const WindowSizes sizes =
        window_sizes(request, request.outputs[0].shape, request.inputs[0].shape, op.window);
    ops::expect_pool2d_fit(request, op);
    if (has_16_bit(request)) return sliced_kernel(request, SliceUnit::sample, op);
    return function_kernel(request.device, [sizes, op](const Operands& o, const ops::StepScalars&) {
        backward(sizes, op, o);
    });
}

}  // namespace strata::cpu
