// Checks of a pooling's operands. For the backends, each of which has its own form of the geometry
// and checks image, result and window with it in between.
#pragma once

#include "engine/ops/pool2d.h"
#include "engine/ops/request.h"

namespace strata::ops {

inline constexpr int most_argmax_cells = 255;  // a window's position is a byte

// All throw Error{unsupported}. First the number of operands, ...
void expect_pool2d(const Request& request, const Pool2D& op);
void expect_pool2d(const Request& request, const Pool2DBackward& op);
// ... then, with images of 4 axes, that they fit each other.
void expect_pool2d_fit(const Request& request, const Pool2D& op);
void expect_pool2d_fit(const Request& request, const Pool2DBackward& op);

// The pooled tensor of a global pooling, of an image with 4 axes.
void expect_pooled(const Request& request, const Shape& image, const Shape& pooled);

}  // namespace strata::ops
