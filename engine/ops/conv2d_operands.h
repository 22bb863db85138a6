// The parts that a convolution's operands play, forward and backward, and their checks. For the
// backends, each of which has its own form of the geometry.
#pragma once

#include "engine/ops/conv2d.h"
#include "engine/ops/request.h"

namespace strata::ops {

// Points into the request's tensors.
struct Conv2DOperands {
    const Shape& image;    // (N,H,W,C): x or dx
    const Shape& result;   // (N,OH,OW,F): y or dy
    const Tensor& kernel;  // or its gradient
    const Tensor* bias;    // or its gradient; nullptr where there is none

    // Throws Error{unsupported} where the groups, the kernel or the bias do not fit.
    void expect_fit(const Request& request, const Window2D& window, int groups) const;
};

// Throw Error{unsupported} on a wrong number of operands, a wrong dtype or activation.
Conv2DOperands conv2d_operands(const Request& request, const Conv2D& op);
Conv2DOperands conv2d_operands(const Request& request, const Conv2DBackwardData& op);
Conv2DOperands conv2d_operands(const Request& request, const Conv2DBackwardWeights& op);

// All checks of a convolution; window_sizes is the backend's, and checks image, result and window.
template <typename Op, typename Sizes>
Sizes conv2d_sizes(const Request& request, const Op& op,
                   Sizes (*window_sizes)(const Request&, const Shape& image, const Shape& result,
                                         const Window2D&)) {
    const Conv2DOperands operands = conv2d_operands(request, op);
    const Sizes sizes = window_sizes(request, operands.image, operands.result, op.window);
    operands.expect_fit(request, op.window, op.groups);
    return sizes;
}

}  // namespace strata::ops
