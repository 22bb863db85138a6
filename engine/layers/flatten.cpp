#include "engine/layers/flatten.h"

#include "engine/layers/inputs.h"

namespace strata::layers {
namespace {

Inference infer(const Config&, std::span<const Shape> inputs) {
    return {.output = Shape{one_input(inputs).elements()}, .variables = {}};
}

void forward(ForwardContext& context) {
    const ops::ValueId x = context.input();
    const std::int64_t elements = context.value(x).shape.without_batch().elements();
    context.set_output(context.view(x, {context.batch(), elements}));
}

void backward(BackwardContext& context) {
    if (!context.needs_input_gradient()) return;
    const Shape shape = context.value(context.input()).shape;
    context.set_input_gradient(0, context.view(context.output_gradient(), shape));
}

}  // namespace

const LayerDescription& flatten() {
    static const LayerDescription description{
        .spec = {.type = "Flatten",
                 .aliases = {},
                 .category = LayerCategory::core,
                 .icon = "flatten",
                 .doc = "Lays the values of each sample in one row, the last axis fastest.",
                 .params = {}},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = {{"image", Json::object(), {{3, 5, 2}}},
                     {"one channel", Json::object(), {{4, 7, 1}}},
                     {"features", Json::object(), {{6}}}},
        .summary = [](const Config&) { return std::string(); }};
    return description;
}

}  // namespace strata::layers
