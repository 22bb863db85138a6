#include "engine/backends/cuda/window.h"

#include <limits>

namespace strata::cuda {

kernels::ImageShape image_shape(const ops::Request& request, const Shape& shape) {
    request.expect(shape.rank() == 4, "images must have 4 axes (N,H,W,C)");
    for (std::int64_t extent : shape.dims())
        request.expect(extent <= std::numeric_limits<int>::max(), "an axis is too long");
    return {static_cast<int>(shape[0]), static_cast<int>(shape[1]), static_cast<int>(shape[2]),
            static_cast<int>(shape[3])};
}

WindowSizes window_sizes(const ops::Request& request, const Shape& image, const Shape& result,
                         const ops::Window2D& w) {
    const kernels::ImageShape before = image_shape(request, image);
    const kernels::ImageShape after = image_shape(request, result);
    const kernels::Window2D window{w.kernel_h,   w.kernel_w, w.stride_h, w.stride_w,   w.dilation_h,
                                   w.dilation_w, w.pad_top,  w.pad_left, w.pad_bottom, w.pad_right};
    request.expect(before.batch == after.batch, "the operands differ in batch");
    request.expect(kernels::is_valid(before, window),
                   "kernel, stride and dilation must be positive, pads not negative");
    request.expect(kernels::output_height(before, window) == after.height &&
                       kernels::output_width(before, window) == after.width,
                   "result " + result.text() + " does not follow from image " + image.text());
    return {before, window, after.height, after.width, after.channels};
}

}  // namespace strata::cuda
