#include "engine/layers/add.h"

#include "engine/core/error.h"
#include "engine/layers/inputs.h"

namespace strata::layers {
namespace {

Inference infer(const Config&, std::span<const Shape> inputs) {
    require_several(inputs);
    for (const Shape& input : inputs.subspan(1))
        if (input != inputs[0])
            throw Error(
                ErrorCode::invalid_argument,
                "the inputs have different shapes, " + inputs[0].text() + " and " + input.text(),
                "", "Make them equal, for example with a Conv2D of kernel_size 1 in one branch");
    return {.output = inputs[0],
            .variables = {},
            .flops = product({inputs[0].elements(), static_cast<std::int64_t>(inputs.size()) - 1})};
}

void forward(ForwardContext& context) {
    std::vector<ops::ValueId> inputs;
    for (int i = 0; i < context.input_count(); ++i) inputs.push_back(context.input(i));
    const Shape shape = context.value(inputs.front()).shape;
    const ops::ValueId y = context.make("sum", shape);
    context.emit(ops::AddN{}, std::move(inputs), {y});
    context.set_output(y);
}

void backward(BackwardContext& context) {
    for (int i = 0; i < context.input_count(); ++i)
        if (context.needs_input_gradient(i))
            context.set_input_gradient(i, context.output_gradient());
}

}  // namespace

const LayerDescription& add() {
    static const LayerDescription description{
        .spec = {.type = "Add",
                 .aliases = {"Sum"},
                 .category = LayerCategory::merging,
                 .icon = "add",
                 .doc = "Adds inputs of the same shape, value by value.",
                 .min_inputs = 2,
                 .max_inputs = -1,
                 .params = {}},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = {{"two", Json::object(), {{4}, {4}}},
                     {"three images", Json::object(), {{2, 3, 2}, {2, 3, 2}, {2, 3, 2}}},
                     {"one channel", Json::object(), {{5, 3, 1}, {5, 3, 1}}}},
        .summary = [](const Config&) { return std::string(); }};
    return description;
}

}  // namespace strata::layers
