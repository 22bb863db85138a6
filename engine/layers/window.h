// The geometry of convolution and pooling windows, and the parameters that describe it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/layers/spec.h"
#include "engine/ops/conv2d.h"

namespace strata::layers {

// What a window asks for, before it meets an image.
struct WindowRequest {
    const char* size_key = "kernel_size";  // the parameter that errors name
    std::pair<int, int> size, strides, dilation{1, 1};
    bool same = false;  // padding: "same", else "valid"
};

struct WindowPlace {
    ops::Window2D window;
    std::int64_t height = 0, width = 0;  // of the output
};

// Keras's rule. same: output = ceil(in / stride), total padding = max((output - 1) * stride +
// extent - in, 0) with extent = (size - 1) * dilation + 1, the smaller half first. valid: no
// padding. Throws Error{invalid_argument}, where = size_key, when the window does not fit into the
// image.
WindowPlace place_window(const WindowRequest& request, std::int64_t height, std::int64_t width);

// what_same: what the border does, "adds zeros", for the help.
ParamSpec padding_param(const std::string& what_same);
// "stride 2", "stride 2 × 1", or "" for 1: for summaries.
std::string stride_summary(std::pair<int, int> strides);
// A pair of sizes in cells, from 1.
ParamSpec cells_param(const char* key, Json default_value, const char* doc);

}  // namespace strata::layers
