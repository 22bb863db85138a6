// The geometry of a convolution or pooling, taken from its operands and checked.
#pragma once

#include "engine/backends/cuda/kernel.h"
#include "kernels/window.h"

namespace strata::cuda {

struct WindowSizes {
    kernels::ImageShape image;  // (N,H,W,C) before
    kernels::Window2D window;
    int output_h = 0, output_w = 0, filters = 0;  // (N,OH,OW,F) after; F = C for pooling

    bool is_empty() const {
        return image.batch == 0 || image.height == 0 || image.width == 0 || image.channels == 0 ||
               output_h == 0 || output_w == 0 || filters == 0;
    }
};

// Throws Error{unsupported} where the ranks, batch or the result's extent do not fit.
WindowSizes window_sizes(const ops::Request& request, const Shape& image, const Shape& result,
                         const ops::Window2D& window);
kernels::ImageShape image_shape(const ops::Request& request, const Shape& shape);

}  // namespace strata::cuda
