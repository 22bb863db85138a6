#include "engine/layers/dense.h"

#include "engine/core/text.h"
#include "engine/layers/activation.h"
#include "engine/layers/inputs.h"
#include "engine/layers/text.h"

namespace strata::layers {
namespace {

constexpr double most_units = 1 << 24;

Shape with_last_axis(const Shape& shape, std::int64_t size) {
    std::vector<std::int64_t> axes = shape.to_vector();
    axes.back() = size;
    return Shape(axes);
}

Inference infer(const Config& config, std::span<const Shape> inputs) {
    const Shape& input = one_input(inputs);
    const std::int64_t in = input[-1];
    const std::int64_t units = config.integer("units");
    const bool has_bias = config.boolean("use_bias");
    Inference inference;
    inference.output = with_last_axis(input, units);
    inference.variables.push_back({.role = "kernel",
                                   .shape = {in, units},
                                   .initializer = Initializer::glorot_uniform,
                                   .fan_in = in,
                                   .fan_out = units});
    if (has_bias) inference.variables.push_back({.role = "bias", .shape = {units}});
    const std::int64_t outputs = inference.output.elements();
    inference.flops = product({outputs, 2 * in + (has_bias ? 1 : 0)}) +
                      activation_flops(activation_of(config), outputs);
    return inference;
}

void forward(ForwardContext& context) {
    const Config& config = context.config();
    const ops::ValueId x = context.input();
    const Shape shape = with_last_axis(context.value(x).shape, config.integer("units"));
    const ops::ValueId z = context.make_for(activation_of(config), "product", shape);
    std::vector<ops::ValueId> operands{x, context.variable("kernel")};
    ops::Matmul matmul;
    matmul.has_bias = config.boolean("use_bias");
    if (matmul.has_bias) operands.push_back(context.variable("bias"));
    context.emit(matmul, std::move(operands), {z});
    context.set_output(context.activate(z, activation_of(config)));
}

void backward(BackwardContext& context) {
    const Config& config = context.config();
    const ops::ValueId dz = context.activate_backward(activation_of(config));
    const ops::ValueId x = context.input();
    context.emit(ops::Matmul{.transpose_a = true, .activation = {}}, {x, dz},
                 {context.variable_gradient("kernel")});
    if (config.boolean("use_bias"))
        context.emit(ops::BiasGradient{}, {dz}, {context.variable_gradient("bias")});
    if (!context.needs_input_gradient()) return;
    const Shape shape = context.value(x).shape;
    const ops::ValueId dx = context.make("input_gradient", shape);
    context.emit(ops::Matmul{.transpose_b = true, .activation = {}},
                 {dz, context.variable("kernel")}, {dx});
    context.set_input_gradient(0, dx);
}

std::vector<LayerExample> examples() {
    return {{"relu", {{"units", 6}, {"activation", "relu"}}, {{7}}},
            {"no bias", {{"units", 5}, {"use_bias", false}, {"activation", "tanh"}}, {{3}}},
            {"softmax", {{"units", 5}, {"activation", "softmax"}}, {{4}}},
            {"gelu", {{"units", 3}, {"activation", "gelu"}}, {{9}}},
            {"one unit", {{"units", 1}, {"activation", "sigmoid"}}, {{1}}},
            {"positions", {{"units", 5}}, {{3, 4}}},
            {"wide", {{"units", 33}, {"activation", "silu"}}, {{17}}}};
}

}  // namespace

const LayerDescription& dense() {
    static const LayerDescription description{
        .spec = {.type = "Dense",
                 .aliases = {"Linear", "FullyConnected"},
                 .category = LayerCategory::core,
                 .icon = "dense",
                 .doc = "Connects every input value to every unit: a matrix product, a bias and an "
                        "activation.",
                 .params = {{.key = "units",
                             .type = ParamType::integer,
                             .default_value = nullptr,
                             .doc = "Number of output values",
                             .minimum = 1,
                             .maximum = most_units},
                            activation_param(),
                            {.key = "use_bias",
                             .type = ParamType::boolean,
                             .default_value = true,
                             .doc = "Whether a trained number is added to each unit"}}},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = examples(),
        .summary = [](const Config& config) {
            return summary_text(
                {counted(config.integer("units"), "unit"), activation_summary(config)});
        }};
    return description;
}

}  // namespace strata::layers
