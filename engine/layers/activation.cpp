#include "engine/layers/activation.h"

#include "engine/layers/inputs.h"

namespace strata::layers {
namespace {

// Keras has no name for the approximate gelu, so a file could not carry it.
std::vector<std::string> keras_names() {
    std::vector<std::string> names;
    for (const std::string& name : ops::activation_names())
        if (name != ops::name_of(ops::ActivationKind::gelu_tanh)) names.push_back(name);
    return names;
}

Inference infer(const Config& config, std::span<const Shape> inputs) {
    const Shape& input = one_input(inputs);
    return {.output = input,
            .variables = {},
            .flops = activation_flops(activation_of(config), input.elements())};
}

std::vector<LayerExample> examples() {
    std::vector<LayerExample> all{{"relu image", {{"activation", "relu"}}, {{3, 5, 2}}},
                                  {"softmax positions", {{"activation", "softmax"}}, {{3, 4}}}};
    for (const std::string& name : keras_names())
        all.push_back({name, {{"activation", name}}, {{7}}});
    return all;
}

}  // namespace

ParamSpec activation_param() {
    return {
        .key = "activation",
        .type = ParamType::choice,
        .default_value = "linear",
        .doc =
            "Function applied to each output value; softmax and its like work over the last axis",
        .choices = keras_names(),
        .synonyms = {{"swish", "silu"}, {"hard_swish", "hard_silu"}}};
}

ops::Activation activation_of(const Config& config) {
    return ops::activation_from_name(config.text("activation"));
}

std::string activation_summary(const Config& config) {
    const std::string& name = config.text("activation");
    return name == "linear" ? "" : name;
}

std::int64_t activation_flops(const ops::Activation& activation, std::int64_t elements) {
    if (activation.kind == ops::ActivationKind::linear) return 0;
    return product({elements, ops::is_row_wise(activation.kind) ? 5 : 1});
}

const LayerDescription& activation() {
    static const LayerDescription description{
        .spec = {.type = "Activation",
                 .aliases = {},
                 .category = LayerCategory::core,
                 .icon = "activation",
                 .doc = "Applies an activation function to every value.",
                 .params = {activation_param()}},
        .infer = infer,
        .forward =
            [](ForwardContext& context) {
                context.set_output(
                    context.activate(context.input(), activation_of(context.config())));
            },
        .backward =
            [](BackwardContext& context) {
                if (context.needs_input_gradient())
                    context.set_input_gradient(
                        0, context.activate_backward(activation_of(context.config())));
            },
        .examples = examples(),
        .summary = [](const Config& config) { return config.text("activation"); }};
    return description;
}

}  // namespace strata::layers
