// The geometry that pooling and convolution share: a window that moves over images (N,H,W,C).
#pragma once

#include <cstdint>

namespace strata::kernels {

struct Window2D {
    int kernel_h = 1, kernel_w = 1;
    int stride_h = 1, stride_w = 1;
    int dilation_h = 1, dilation_w = 1;
    int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
};

struct ImageShape {
    int batch = 0, height = 0, width = 0, channels = 0;
};

// Positions of a window along one axis; 0 where it does not fit.
constexpr int window_positions(int size, int pad, int kernel, int stride, int dilation) {
    const int room = size + pad - dilation * (kernel - 1) - 1;
    return room < 0 ? 0 : room / stride + 1;
}
constexpr int output_height(ImageShape x, Window2D w) {
    return window_positions(x.height, w.pad_top + w.pad_bottom, w.kernel_h, w.stride_h,
                            w.dilation_h);
}
constexpr int output_width(ImageShape x, Window2D w) {
    return window_positions(x.width, w.pad_left + w.pad_right, w.kernel_w, w.stride_w,
                            w.dilation_w);
}

// What a launcher refuses with cudaErrorInvalidValue.
constexpr bool is_valid(ImageShape x, Window2D w) {
    return x.batch >= 0 && x.height >= 0 && x.width >= 0 && x.channels >= 0 && w.kernel_h > 0 &&
           w.kernel_w > 0 && w.stride_h > 0 && w.stride_w > 0 && w.dilation_h > 0 &&
           w.dilation_w > 0 && w.pad_top >= 0 && w.pad_left >= 0 && w.pad_bottom >= 0 &&
           w.pad_right >= 0;
}

}  // namespace strata::kernels
