#include "engine/layers/input_layer.h"

#include "engine/core/error.h"

namespace strata::layers {
namespace {

constexpr double longest_axis = 1 << 30;

Inference infer(const Config& config, std::span<const Shape> inputs) {
    if (!inputs.empty())
        throw Error(ErrorCode::invalid_argument, "takes no input", "",
                    "Remove the connection into it");
    const std::vector<std::int64_t> axes = config.shape("shape");
    if (axes.empty())
        throw Error(ErrorCode::invalid_argument, "has no axis", "shape",
                    "Give the size of one sample, such as (28, 28, 1)");
    const Shape shape(axes);
    static_cast<void>(shape.elements());  // refuses what does not fit into 64 bits
    return {
        .output = shape, .variables = {}, .output_dtype = dtype_from_name(config.text("dtype"))};
}

}  // namespace

const LayerDescription& input_layer() {
    static const LayerDescription description{
        .spec =
            {.type = "InputLayer",
             .aliases = {"Input"},
             .category = LayerCategory::input,
             .icon = "input",
             .doc = "The place where samples enter the model.",
             .min_inputs = 0,
             .max_inputs = 0,
             .params =
                 {{.key = "shape",
                   .type = ParamType::shape,
                   .default_value = nullptr,
                   .doc =
                       "Size of one sample without the batch, for images (height, width, channels)",
                   .minimum = 1,
                   .maximum = longest_axis},
                  {.key = "dtype",
                   .type = ParamType::choice,
                   .default_value = "float32",
                   .doc = "Type of the values; uint8 keeps image bytes as they are for a Rescaling "
                          "layer",
                   .choices = {"float32", "uint8"}}}},
        .infer = infer,
        .forward = [](ForwardContext&) {},
        .backward = [](BackwardContext&) {},
        .examples = {{"image", {{"shape", {28, 28, 1}}}, {}},
                     {"features", {{"shape", {7}}}, {}},
                     {"bytes", {{"shape", {5, 3, 3}}, {"dtype", "uint8"}}, {}}},
        .summary = [](const Config& config) { return Shape(config.shape("shape")).text(); }};
    return description;
}

}  // namespace strata::layers
