// Checks of the image transforms. For the backends.
#pragma once

#include "engine/ops/augment.h"
#include "engine/ops/request.h"

namespace strata::ops {

// Throw Error{unsupported} where an operand is no batch of float32 images, the shapes differ, or a
// bound is no number.
ImageSize expect_images(const Request& request, const AugmentImages& op);
ImageSize expect_images(const Request& request, const AugmentImagesBackward& op);

}  // namespace strata::ops
