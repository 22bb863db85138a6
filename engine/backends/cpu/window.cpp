#include "engine/backends/cpu/window.h"

namespace strata::cpu {
namespace {

bool fits(std::int64_t in, std::int64_t out, int kernel, int stride, int dilation, int pad) {
    const std::int64_t span = std::int64_t{dilation} * (kernel - 1) + 1;
    const std::int64_t padded = in + pad;
    const std::int64_t expected = padded < span ? 0 : (padded - span) / stride + 1;
    return out == expected;
}

}  // namespace

WindowSizes window_sizes(const ops::Request& request, const Shape& image, const Shape& result,
                         const ops::Window2D& w) {
    request.expect(image.rank() == 4 && result.rank() == 4, "images must have 4 axes (N,H,W,C)");
    request.expect(image[0] == result[0], "the operands differ in batch");
    request.expect(w.kernel_h > 0 && w.kernel_w > 0 && w.stride_h > 0 && w.stride_w > 0 &&
                       w.dilation_h > 0 && w.dilation_w > 0,
                   "kernel, stride and dilation must be positive");
    request.expect(w.pad_top >= 0 && w.pad_left >= 0 && w.pad_bottom >= 0 && w.pad_right >= 0,
                   "pads must not be negative");
    request.expect(
        fits(image[1], result[1], w.kernel_h, w.stride_h, w.dilation_h, w.pad_top + w.pad_bottom) &&
            fits(image[2], result[2], w.kernel_w, w.stride_w, w.dilation_w,
                 w.pad_left + w.pad_right),
        "result " + result.text() + " does not follow from image " + image.text());
    return {image[0], image[1], image[2], image[3], result[1], result[2], result[3], w};
}

}  // namespace strata::cpu
