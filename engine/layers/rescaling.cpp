#include "engine/layers/rescaling.h"

#include "engine/layers/inputs.h"
#include "engine/layers/text.h"

namespace strata::layers {
namespace {

Inference infer(const Config&, std::span<const Shape> inputs) {
    const Shape& input = one_input(inputs);
    return {.output = input, .variables = {}, .flops = product({2, input.elements()})};
}

void forward(ForwardContext& context) {
    const ops::ValueId x = context.input();
    const Shape shape = context.value(x).shape;
    const ops::ValueId y = context.make("output", shape);
    const Config& config = context.config();
    context.emit(ops::ScaleShift{.scale = static_cast<float>(config.number("scale")),
                                 .offset = static_cast<float>(config.number("offset"))},
                 {x}, {y});
    context.set_output(y);
}

void backward(BackwardContext& context) {
    if (!context.needs_input_gradient()) return;
    const ops::ValueId dy = context.output_gradient();
    const Shape shape = context.value(dy).shape;
    const ops::ValueId dx = context.make("input_gradient", shape);
    context.emit(ops::ScaleShift{.scale = static_cast<float>(context.config().number("scale")),
                                 .offset = 0.0F},
                 {dy}, {dx});
    context.set_input_gradient(0, dx);
}

std::string summary(const Config& config) {
    const double offset = config.number("offset");
    std::string text = "× " + number_text(config.number("scale"));
    if (offset > 0) text += " + " + number_text(offset);
    if (offset < 0) text += " − " + number_text(-offset);
    return text;
}

}  // namespace

const LayerDescription& rescaling() {
    static const LayerDescription description{
        .spec = {.type = "Rescaling",
                 .aliases = {},
                 .category = LayerCategory::preprocessing,
                 .icon = "rescaling",
                 .doc = "Multiplies every value by scale and adds offset, such as bytes 0 to 255 "
                        "into 0 to 1.",
                 .params = {{.key = "scale",
                             .type = ParamType::number,
                             .default_value = 1.0 / 255.0,
                             .doc = "Factor; 1/255 = 0.00392157 brings bytes into 0 to 1"},
                            {.key = "offset",
                             .type = ParamType::number,
                             .default_value = 0.0,
                             .doc = "Number added after the scaling"}}},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = {{"pixels", Json::object(), {{3, 5, 1}}},
                     {"minus one to one", {{"scale", 1.0 / 127.5}, {"offset", -1}}, {{2, 3, 3}}},
                     {"features", {{"scale", -0.5}, {"offset", 2.25}}, {{7}}}},
        .summary = summary};
    return description;
}

}  // namespace strata::layers
