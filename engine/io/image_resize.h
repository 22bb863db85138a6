// Images in another size. Used by the source of image folders.
#pragma once

#include "engine/io/image.h"

namespace strata::io {

// The part of an image that is used.
struct ImageBox {
    std::int64_t top = 0, left = 0, height = 0, width = 0;
};

// The largest box in the middle of an image that has the shape height : width.
ImageBox centre_box(const Image& image, std::int64_t height, std::int64_t width);

// `box` of the image as (height, width, channels). Bilinear with antialiasing: where the image
// shrinks, the triangle covers all pixels that fall into one. The sums are rounded as Pillow's
// Image.resize(BILINEAR) rounds them, so that the results are the same.
void resize_image(const Image& image, const ImageBox& box, std::int64_t height, std::int64_t width,
                  std::uint8_t* out);

}  // namespace strata::io
