// Index arithmetic of windows that move over images (N,H,W,C): from outputs to the cells that they
// read, and from a cell to the outputs that read it. Pooling and the convolution's gather share it.
#pragma once

#include "kernels/common/launch.h"
#include "kernels/window.h"

namespace strata::kernels {

template <class Index>
struct Place {
    Index image;
    int row, col;
    Index channel;
};

struct WindowWalk {
    ImageShape x;
    Window2D window;
    int output_h, output_w;

    std::int64_t cells() const { return std::int64_t{x.batch} * x.height * x.width * x.channels; }
    std::int64_t outputs() const {
        return std::int64_t{x.batch} * output_h * output_w * x.channels;
    }
    std::int64_t largest() const { return cells() > outputs() ? cells() : outputs(); }

    template <class Index>
    __device__ static Place<Index> place(Index i, int height, int width, int channels) {
        const Index pixel = i / channels;
        const Index line = pixel / width;
        const Index image = line / height;
        return {image, static_cast<int>(line - image * height),
                static_cast<int>(pixel - line * width), i - pixel * channels};
    }
    template <class Index>
    __device__ Place<Index> output_place(Index i) const {
        return place(i, output_h, output_w, x.channels);
    }
    template <class Index>
    __device__ Place<Index> input_place(Index i) const {
        return place(i, x.height, x.width, x.channels);
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

    __device__ int cells_inside(int oh, int ow) const {
        int rows = 0;
        int cols = 0;
        for (int k = 0; k < window.kernel_h; ++k) rows += has_row(input_row(oh, k)) ? 1 : 0;
        for (int k = 0; k < window.kernel_w; ++k) cols += has_col(input_col(ow, k)) ? 1 : 0;
        return rows * cols;
    }

    // The output along one axis whose position k reads `cell`; -1 where there is none.
    __device__ static int reader(int cell, int pad, int k, int dilation, int stride, int outputs) {
        const int begin = cell + pad - k * dilation;
        if (begin < 0 || begin % stride != 0) return -1;
        return begin / stride < outputs ? begin / stride : -1;
    }

    // visit(oh, ow, kh * kernel_w + kw) for each output that reads the cell, in the order of kh,
    // kw.
    template <class Visit>
    __device__ void for_each_reader(int row, int col, Visit visit) const {
        for (int kh = 0; kh < window.kernel_h; ++kh) {
            const int oh =
                reader(row, window.pad_top, kh, window.dilation_h, window.stride_h, output_h);
            if (oh < 0) continue;
            for (int kw = 0; kw < window.kernel_w; ++kw) {
                const int ow =
                    reader(col, window.pad_left, kw, window.dilation_w, window.stride_w, output_w);
                if (ow >= 0) visit(oh, ow, kh * window.kernel_w + kw);
            }
        }
    }
};

inline WindowWalk make_walk(ImageShape shape, Window2D window) {
    return {shape, window, output_height(shape, window), output_width(shape, window)};
}

}  // namespace strata::kernels
