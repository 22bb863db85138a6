// Sizes of a convolution or pooling, taken from its operands and checked.
#pragma once

#include "engine/backends/cpu/kernel.h"
#include "engine/ops/conv2d.h"

namespace strata::cpu {

// Images (n, h, w, c) and results (n, oh, ow, f); c = f for pooling.
struct WindowSizes {
    std::int64_t n = 0, h = 0, w = 0, c = 0, oh = 0, ow = 0, f = 0;
    ops::Window2D window;

    // Rows of the image that row `oh` of the result looks at begin here (may be negative: padding).
    std::int64_t top(std::int64_t row) const { return row * window.stride_h - window.pad_top; }
    std::int64_t left(std::int64_t column) const {
        return column * window.stride_w - window.pad_left;
    }
};

// Throws Error{unsupported} where the ranks, batch or the result's extent do not fit.
WindowSizes window_sizes(const ops::Request& request, const Shape& image, const Shape& result,
                         const ops::Window2D& window);

}  // namespace strata::cpu
