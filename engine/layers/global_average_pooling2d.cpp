#include "engine/layers/global_average_pooling2d.h"

#include "engine/core/error.h"
#include "engine/layers/inputs.h"

namespace strata::layers {
namespace {

Inference infer(const Config& config, std::span<const Shape> inputs) {
    const Shape& input = image_input(inputs);
    if (input[0] < 1 || input[1] < 1)
        throw Error(ErrorCode::invalid_argument, "the image " + input.text() + " has no pixels", "",
                    "Give it an image of 1 x 1 or more");
    const std::int64_t channels = input[2];
    return {.output = config.boolean("keepdims") ? Shape{1, 1, channels} : Shape{channels},
            .variables = {},
            .flops = input.elements()};
}

void forward(ForwardContext& context) {
    const ops::ValueId x = context.input();
    const std::int64_t channels = context.value(x).shape[3];
    const ops::ValueId y = context.make("mean", {context.batch(), channels});
    context.emit(ops::GlobalAveragePool2D{}, {x}, {y});
    context.set_output(context.config().boolean("keepdims")
                           ? context.view(y, {context.batch(), 1, 1, channels})
                           : y);
}

void backward(BackwardContext& context) {
    if (!context.needs_input_gradient()) return;
    const Shape input = context.value(context.input()).shape;
    ops::ValueId dy = context.output_gradient();
    if (context.config().boolean("keepdims")) dy = context.view(dy, {context.batch(), input[3]});
    const ops::ValueId dx = context.make("input_gradient", input);
    context.emit(ops::GlobalAveragePool2DBackward{}, {dy}, {dx});
    context.set_input_gradient(0, dx);
}

}  // namespace

const LayerDescription& global_average_pooling2d() {
    static const LayerDescription description{
        .spec = {.type = "GlobalAveragePooling2D",
                 .aliases = {"GlobalAvgPool2D"},
                 .category = LayerCategory::pooling,
                 .icon = "global_average_pooling2d",
                 .doc = "Takes the mean of each channel over the whole image.",
                 .params = {{.key = "keepdims",
                             .type = ParamType::boolean,
                             .default_value = false,
                             .doc = "Whether height and width stay as axes of size 1"}}},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = {{"image", Json::object(), {{4, 5, 3}}},
                     {"keepdims", {{"keepdims", true}}, {{3, 2, 4}}},
                     {"one channel", Json::object(), {{7, 3, 1}}}},
        .summary = [](const Config&) { return std::string(); }};
    return description;
}

}  // namespace strata::layers
