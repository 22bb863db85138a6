#include "engine/layers/window.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/layers/text.h"

namespace strata::layers {
namespace {

constexpr double most_cells = 32767;

struct Axis {
    std::int64_t output = 0;
    int begin = 0, end = 0;  // padding
};

std::int64_t extent_of(int size, int dilation) {
    return (std::int64_t{size} - 1) * dilation + 1;
}

Axis place_axis(std::int64_t in, std::int64_t extent, int stride, bool same) {
    if (!same) return {(in - extent) / stride + 1, 0, 0};
    const std::int64_t output = (in + stride - 1) / stride;
    const std::int64_t total = std::max<std::int64_t>((output - 1) * stride + extent - in, 0);
    return {output, static_cast<int>(total / 2), static_cast<int>(total - total / 2)};
}

[[noreturn]] void refuse_fit(const WindowRequest& request, std::int64_t height,
                             std::int64_t width) {
    std::string what = size_text(request.size);
    if (request.dilation != std::pair{1, 1})
        what += " with dilation_rate " + size_text(request.dilation) + " covers " +
                size_text(extent_of(request.size.first, request.dilation.first),
                          extent_of(request.size.second, request.dilation.second)) +
                " and";
    throw Error(ErrorCode::invalid_argument,
                what + " does not fit into the " + size_text(height, width) + " input",
                request.size_key, std::string("Use padding same or a smaller ") + request.size_key);
}

}  // namespace

WindowPlace place_window(const WindowRequest& request, std::int64_t height, std::int64_t width) {
    const std::int64_t extent_h = extent_of(request.size.first, request.dilation.first);
    const std::int64_t extent_w = extent_of(request.size.second, request.dilation.second);
    if (height < 1 || width < 1 || (!request.same && (extent_h > height || extent_w > width)))
        refuse_fit(request, height, width);
    const Axis h = place_axis(height, extent_h, request.strides.first, request.same);
    const Axis w = place_axis(width, extent_w, request.strides.second, request.same);
    WindowPlace place;
    place.window.kernel_h = request.size.first;
    place.window.kernel_w = request.size.second;
    place.window.stride_h = request.strides.first;
    place.window.stride_w = request.strides.second;
    place.window.dilation_h = request.dilation.first;
    place.window.dilation_w = request.dilation.second;
    place.window.pad_top = h.begin;
    place.window.pad_left = w.begin;
    place.window.pad_bottom = h.end;
    place.window.pad_right = w.end;
    place.height = h.output;
    place.width = w.output;
    return place;
}

std::string stride_summary(std::pair<int, int> strides) {
    if (strides == std::pair{1, 1}) return "";
    return "stride " +
           (strides.first == strides.second ? std::to_string(strides.first) : size_text(strides));
}

ParamSpec padding_param(const std::string& what_same) {
    return {.key = "padding",
            .type = ParamType::choice,
            .default_value = "valid",
            .doc = "Border of the image: valid has none, same " + what_same +
                   " so that stride 1 keeps height and width",
            .choices = {"valid", "same"}};
}

ParamSpec cells_param(const char* key, Json default_value, const char* doc) {
    return {.key = key,
            .type = ParamType::pair,
            .default_value = std::move(default_value),
            .doc = doc,
            .minimum = 1,
            .maximum = most_cells};
}

}  // namespace strata::layers
