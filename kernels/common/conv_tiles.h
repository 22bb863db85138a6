// How a convolution's operands lie for the tiled product: which cells a row of the product reads,
// and the choice of the tile. Shared by the three passes.
#pragma once

#include "kernels/common/tile_product.h"
#include "kernels/conv2d.h"

namespace strata::kernels {

// A ConvShape with what follows from it, for device code.
struct ConvGeometry {
    ImageShape x;
    Window2D window;
    int groups, filters, group_channels, group_filters, output_h, output_w;
};

inline ConvGeometry geometry_of(const ConvShape& s) {
    return {s.x,          s.window,    s.groups, s.filters, s.group_channels(), s.group_filters(),
            s.output_h(), s.output_w()};
}

// One axis of what a convolution, or its transpose, writes and reads. The i-th of `sinks` results
// lies at first + i * stride, and reads for each tap < taps the cell begin + i * step + tap * delta
// of `extent` cells, by the kernel's position first_tap + tap * tap_step.
struct ConvAxis {
    int sinks, first, stride, sink_extent;
    int begin, step, delta, extent;
    int taps, first_tap, tap_step;
};

struct ConvAxes {
    ConvAxis h, w;
};

__device__ inline ConvAxis forward_axis(int size, int outputs, int kernel, int stride, int dilation,
                                        int pad) {
    return {outputs, 0, 1, outputs, -pad, stride, dilation, size, kernel, 0, 1};
}

// The cells `remainder`, remainder + stride, ... of x: those that the same taps reach. With
// g = gcd(stride, dilation), every (stride / g)-th tap does, if any.
__device__ inline ConvAxis backward_axis(int size, int outputs, int kernel, int stride,
                                         int dilation, int pad, int remainder) {
    int a = stride;
    int b = dilation;
    while (b != 0) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    const int tap_step = stride / a;
    int first_tap = 0;
    while (first_tap < tap_step && (remainder + pad - first_tap * dilation) % stride != 0)
        ++first_tap;
    const bool any = first_tap < tap_step && first_tap < kernel;
    const int taps = any ? (kernel - first_tap + tap_step - 1) / tap_step : 0;
    const int begin = (remainder + pad - first_tap * dilation) / stride;
    const int sinks = remainder < size ? (size - remainder + stride - 1) / stride : 0;
    return {sinks,   remainder, stride,    size,    begin, 1, -(tap_step * dilation / stride),
            outputs, taps,      first_tap, tap_step};
}

__device__ inline ConvAxes forward_axes(const ConvGeometry& s) {
    const Window2D& w = s.window;
    return {forward_axis(s.x.height, s.output_h, w.kernel_h, w.stride_h, w.dilation_h, w.pad_top),
            forward_axis(s.x.width, s.output_w, w.kernel_w, w.stride_w, w.dilation_w, w.pad_left)};
}

// Of the remainders row and col of the strides.
__device__ inline ConvAxes backward_axes(const ConvGeometry& s, int row, int col) {
    const Window2D& w = s.window;
    return {
        backward_axis(s.x.height, s.output_h, w.kernel_h, w.stride_h, w.dilation_h, w.pad_top, row),
        backward_axis(s.x.width, s.output_w, w.kernel_w, w.stride_w, w.dilation_w, w.pad_left,
                      col)};
}

// A row of the product: its image's first cell, the cell that tap (0,0) reads, and where its
// results go. A row beyond the last reads nothing.
struct alignas(16) ConvRow {
    int image, row, col, sink;
};

inline constexpr int no_conv_row = -(1 << 30);

__device__ inline ConvRow conv_row(const ConvAxes& axes, int number, bool exists) {
    if (!exists) return {0, no_conv_row, no_conv_row, 0};
    const int line = number / axes.w.sinks;
    const int j = number - line * axes.w.sinks;
    const int image = line / axes.h.sinks;
    const int i = line - image * axes.h.sinks;
    const int sink_row = axes.h.first + i * axes.h.stride;
    const int sink_col = axes.w.first + j * axes.w.stride;
    return {image * axes.h.extent * axes.w.extent, axes.h.begin + i * axes.h.step,
            axes.w.begin + j * axes.w.step,
            (image * axes.h.sink_extent + sink_row) * axes.w.sink_extent + sink_col};
}

// A place in the depth: the tap, as the kernel counts it, what to add to a row's cell, and the
// channel of the group.
struct ConvDepth {
    int tap, rows, cols, channel;
};

__device__ inline ConvDepth conv_depth(const ConvAxes& axes, int kernel_w, int group_channels,
                                       int depth) {
    const int tap = depth / group_channels;
    const int kh = tap / axes.w.taps;
    const int kw = tap - kh * axes.w.taps;
    return {(axes.h.first_tap + kh * axes.h.tap_step) * kernel_w + axes.w.first_tap +
                kw * axes.w.tap_step,
            kh * axes.h.delta, kw * axes.w.delta, depth - tap * group_channels};
}

// The cell's number among all images' cells; -1 in the padding.
__device__ inline int conv_cell(const ConvAxes& axes, const ConvRow& row, int rows, int cols) {
    const int h = row.row + rows;
    const int w = row.col + cols;
    const bool inside = h >= 0 && h < axes.h.extent && w >= 0 && w < axes.w.extent;
    return inside ? row.image + h * axes.w.extent + w : -1;
}

// Calls launcher(Tile{}, Size) with the tile for so many columns: Size is pack_size<T> where the
// operands can be read in whole accesses, or 1.
template <class T, class Launcher>
cudaError_t with_conv_tile(int columns, bool wide, bool tensor_cores, Launcher launcher) {
    constexpr int narrow_columns = 16;
    constexpr int wide_columns = 64;
    const auto sized = [&](auto tile) {
        return wide ? launcher(tile, std::integral_constant<int, pack_size<T>>{})
                    : launcher(tile, std::integral_constant<int, 1>{});
    };
    const auto with_math = [&](auto math) {
        constexpr TileMath kind = decltype(math)::value;
        return columns <= narrow_columns ? sized(Tile<T, kind, narrow_columns>{})
                                         : sized(Tile<T, kind, wide_columns>{});
    };
    // Every GPU that is served has tensor cores for float16.
    if constexpr (!std::is_same_v<T, Float16>)
        if (!tensor_cores) return with_math(std::integral_constant<TileMath, TileMath::fma>{});
    return with_math(std::integral_constant<TileMath, TileMath::tensor>{});
}

// Whether this pass of the compiler makes code for the tile's instructions.
template <class Tile>
inline constexpr bool has_code =
    !Tile::on_tensor_cores ||
    compiled_architecture >= 10 * tensor_capability<typename Tile::Source>;

}  // namespace strata::kernels
