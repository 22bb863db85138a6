// Index arithmetic of windows that move over images (N,H,W,C): from outputs to the cells that they
// read, and from a cell to the outputs that read it. Pooling and the convolution's gather share it.
#pragma once

#include <numeric>

#include "kernels/common/divisor.h"
#include "kernels/window.h"

namespace strata::kernels {

template <class Index>
struct Place {
    Index image;
    int row, col;
    Index channel;
};

// The outputs along one axis that read a cell, in the order of the positions of their windows that
// lie on it.
struct Readers {
    Divisor stride;
    int kernel, dilation, pad, outputs;
    int tap_step, output_step;  // from one reader to the next, which lies before it

    struct Reader {
        int tap, output;
    };
    // Tap `kernel` where there is none; may lie behind the last output.
    __device__ Reader first(int cell) const {
        const int at = cell + pad;
        const auto step = static_cast<int>(stride.value);
        int output = stride.divide(at);
        if (dilation == 1) return {at - output * step, output};
        for (int tap = 0, begin = at; tap < kernel && begin >= 0; ++tap, begin -= dilation) {
            output = stride.divide(begin);
            if (output * step == begin) return {tap, output};
        }
        return {kernel, 0};
    }
};

inline Readers make_readers(int kernel, int stride, int dilation, int pad, int outputs) {
    const int common = std::gcd(stride, dilation);
    return {divisor_of(stride), kernel, dilation, pad, outputs, stride / common, dilation / common};
}

struct WindowWalk {
    ImageShape x;
    Window2D window;
    int output_h, output_w;
    Divisor channels, width, height, output_width, output_height;
    Readers rows, cols;

    std::int64_t cells() const { return std::int64_t{x.batch} * x.height * x.width * x.channels; }
    std::int64_t outputs() const {
        return std::int64_t{x.batch} * output_h * output_w * x.channels;
    }
    std::int64_t largest() const { return cells() > outputs() ? cells() : outputs(); }

    template <class Index>
    __device__ Place<Index> place(Index i, const Divisor& by_height,
                                  const Divisor& by_width) const {
        const Index pixel = channels.divide(i);
        const Index line = by_width.divide(pixel);
        const Index image = by_height.divide(line);
        return {image, static_cast<int>(line - image * static_cast<Index>(by_height.value)),
                static_cast<int>(pixel - line * static_cast<Index>(by_width.value)),
                i - pixel * x.channels};
    }
    template <class Index>
    __device__ Place<Index> output_place(Index i) const {
        return place(i, output_height, output_width);
    }
    template <class Index>
    __device__ Place<Index> input_place(Index i) const {
        return place(i, height, width);
    }
    template <class Index>
    __device__ Index input_index(Index image, int row, int col, Index channel) const {
        return ((image * x.height + row) * x.width + col) * x.channels + channel;
    }
    template <class Index>
    __device__ Index output_index(Index image, int row, int col, Index channel) const {
        return ((image * output_h + row) * output_w + col) * x.channels + channel;
    }

    // The cell that position k of output o's window reads; may lie in the padding.
    __device__ int input_row(int o, int k) const {
        return o * window.stride_h - window.pad_top + k * window.dilation_h;
    }
    __device__ int input_col(int o, int k) const {
        return o * window.stride_w - window.pad_left + k * window.dilation_w;
    }
    __device__ bool has_row(int row) const { return row >= 0 && row < x.height; }
    __device__ bool has_col(int col) const { return col >= 0 && col < x.width; }

    // Of a window along one axis, which begins at `begin`.
    __device__ static int inside(int begin, int kernel, int dilation, int size) {
        int count = 0;
        if (dilation == 1) {
            const int end = begin + kernel < size ? begin + kernel : size;
            count = end - (begin > 0 ? begin : 0);
            return count > 0 ? count : 0;
        }
        for (int k = 0; k < kernel; ++k, begin += dilation)
            count += begin >= 0 && begin < size ? 1 : 0;
        return count;
    }
    __device__ int cells_inside(int oh, int ow) const {
        return inside(input_row(oh, 0), window.kernel_h, window.dilation_h, x.height) *
               inside(input_col(ow, 0), window.kernel_w, window.dilation_w, x.width);
    }

    // visit(oh, ow, kh * kernel_w + kw) for each output that reads the cell, in the order of kh,
    // kw.
    template <class Visit>
    __device__ void for_each_reader(int row, int col, Visit visit) const {
        const Readers::Reader first_w = cols.first(col);
        for (auto [kh, oh] = rows.first(row); kh < rows.kernel && oh >= 0;
             kh += rows.tap_step, oh -= rows.output_step) {
            if (oh >= rows.outputs) continue;
            for (auto [kw, ow] = first_w; kw < cols.kernel && ow >= 0;
                 kw += cols.tap_step, ow -= cols.output_step) {
                if (ow < cols.outputs) visit(oh, ow, kh * cols.kernel + kw);
            }
        }
    }
};

inline WindowWalk make_walk(ImageShape shape, Window2D window) {
    const int height = output_height(shape, window), width = output_width(shape, window);
    return {
        shape,
        window,
        height,
        width,
        divisor_of(shape.channels),
        divisor_of(shape.width),
        divisor_of(shape.height),
        divisor_of(width),
        divisor_of(height),
        make_readers(window.kernel_h, window.stride_h, window.dilation_h, window.pad_top, height),
        make_readers(window.kernel_w, window.stride_w, window.dilation_w, window.pad_left, width)};
}

}  // namespace strata::kernels
