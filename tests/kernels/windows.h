// Windows and images on which pooling and the convolution's gather are tested.
#pragma once

#include <vector>

#include "kernels/window.h"

namespace strata::kernels::testing {

struct WindowCase {
    ImageShape image;
    Window2D window;  // kernel, stride, dilation, pads (top, left, bottom, right)

    std::size_t cells() const {
        return static_cast<std::size_t>(image.batch * image.height * image.width * image.channels);
    }
    std::size_t outputs() const {
        return static_cast<std::size_t>(image.batch * output_height(image, window) *
                                        output_width(image, window) * image.channels);
    }
};

// Channels by fours and not; even pads, uneven pads, strides that leave cells over, windows wider
// than the image, overlaps, gaps, dilation with and without strides; a batch of 0.
inline const std::vector<WindowCase>& window_cases() {
    static const std::vector<WindowCase> cases{{{1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 0, 0, 0, 0}},
                                               {{2, 6, 6, 4}, {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}},
                                               {{3, 7, 5, 3}, {2, 2, 2, 2, 1, 1, 0, 0, 1, 1}},
                                               {{2, 9, 8, 5}, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
                                               {{1, 11, 7, 8}, {3, 2, 2, 3, 1, 1, 1, 0, 1, 1}},
                                               {{2, 10, 10, 2}, {3, 3, 1, 1, 2, 3, 2, 3, 2, 3}},
                                               {{1, 3, 3, 4}, {5, 5, 1, 1, 1, 1, 2, 2, 2, 2}},
                                               {{5, 4, 4, 6}, {1, 1, 2, 2, 1, 1, 0, 0, 0, 0}},
                                               {{2, 6, 7, 16}, {3, 3, 2, 1, 1, 1, 1, 1, 1, 1}},
                                               {{2, 9, 11, 4}, {2, 3, 4, 5, 1, 1, 1, 2, 0, 1}},
                                               {{1, 13, 12, 3}, {4, 3, 2, 2, 3, 2, 3, 0, 1, 4}},
                                               {{1, 12, 12, 8}, {3, 3, 4, 6, 2, 4, 2, 4, 3, 5}},
                                               {{0, 4, 4, 2}, {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}}};
    return cases;
}

// visit(n, oh, ow, kh, kw, h, w) for every cell of every window, those in the padding too.
template <class Visit>
void for_each_tap(const ImageShape& x, const Window2D& k, const Visit& visit) {
    for (int n = 0; n < x.batch; ++n)
        for (int oh = 0; oh < output_height(x, k); ++oh)
            for (int ow = 0; ow < output_width(x, k); ++ow)
                for (int kh = 0; kh < k.kernel_h; ++kh)
                    for (int kw = 0; kw < k.kernel_w; ++kw)
                        visit(n, oh, ow, kh, kw, oh * k.stride_h - k.pad_top + kh * k.dilation_h,
                              ow * k.stride_w - k.pad_left + kw * k.dilation_w);
}

inline bool is_inside(const ImageShape& x, int h, int w) {
    return h >= 0 && h < x.height && w >= 0 && w < x.width;
}
inline std::size_t cell_index(const ImageShape& x, int n, int h, int w, int c) {
    return static_cast<std::size_t>(((n * x.height + h) * x.width + w) * x.channels + c);
}
inline std::size_t output_index(const ImageShape& x, const Window2D& k, int n, int oh, int ow,
                                int c) {
    return static_cast<std::size_t>(
        ((n * output_height(x, k) + oh) * output_width(x, k) + ow) * x.channels + c);
}

}  // namespace strata::kernels::testing
