#include "engine/layers/batch_normalization.h"

#include "engine/core/error.h"
#include "engine/layers/inputs.h"

namespace strata::layers {
namespace {

constexpr std::int64_t flops_a_value = 2;  // a multiplication and an addition, as in prediction

Inference infer(const Config& config, std::span<const Shape> inputs) {
    const Shape& input = one_input(inputs);
    const std::int64_t axis = config.integer("axis");
    if (axis != -1 && axis != input.rank())
        throw Error(ErrorCode::unsupported,
                    "only the last axis can be normalised, found " + std::to_string(axis) +
                        " for the input " + input.text(),
                    "axis", "Use -1");
    const Shape channels{input[-1]};
    Inference inference;
    inference.output = input;
    if (config.boolean("scale"))
        inference.variables.push_back(
            {.role = "gamma", .shape = channels, .initializer = Initializer::ones});
    if (config.boolean("center"))
        inference.variables.push_back({.role = "beta", .shape = channels});
    const auto momentum = static_cast<float>(config.number("momentum"));
    inference.variables.push_back(
        {.role = "moving_mean", .shape = channels, .trainable = false, .momentum = momentum});
    inference.variables.push_back({.role = "moving_variance",
                                   .shape = channels,
                                   .initializer = Initializer::ones,
                                   .trainable = false,
                                   .momentum = momentum});
    inference.flops = product({input.elements(), flops_a_value});
    return inference;
}

// The variable, or where the layer has none a constant in its place.
template <typename Context>
ops::ValueId variable_or(Context& context, const char* key, const char* role, const Shape& shape,
                         float value) {
    if (context.config().boolean(key)) return context.variable(role);
    const ops::ValueId constant = context.make(role, shape, DType::float32);
    context.emit(ops::Fill{value}, {}, {constant});
    return constant;
}

constexpr float keep_as_it_is = 1.0F;  // a momentum

void forward_training(ForwardContext& context, std::vector<ops::ValueId> operands, ops::ValueId y,
                      const Shape& channels) {
    const Config& config = context.config();
    const ops::ValueId mean = context.make("mean", channels, DType::float32);
    const ops::ValueId inverse_deviation =
        context.make("inverse_deviation", channels, DType::float32);
    context.keep("gamma", operands[1]);
    context.keep("mean", mean);
    context.keep("inverse_deviation", inverse_deviation);
    ops::BatchNormTraining op{.momentum = static_cast<float>(config.number("momentum")),
                              .epsilon = static_cast<float>(config.number("epsilon")),
                              .synchronized = config.boolean("synchronized")};
    std::vector<ops::ValueId> results{y, mean, inverse_deviation};
    if (!context.defers_statistics()) return context.emit(op, std::move(operands), results);
    op.momentum = keep_as_it_is;
    const ops::ValueId variance = context.make("variance", channels, DType::float32);
    results.push_back(variance);
    context.emit(op, std::move(operands), results);
    const std::vector<ops::ValueId> window{context.window_statistic("moving_mean"),
                                           context.window_statistic("moving_variance")};
    context.emit(ops::AccumulateStatistics{context.batch()}, {window[0], window[1], mean, variance},
                 window);
}

void forward(ForwardContext& context) {
    const Config& config = context.config();
    const auto epsilon = static_cast<float>(config.number("epsilon"));
    const ops::ValueId x = context.input();
    const Shape shape = context.value(x).shape;
    const Shape channels{shape[-1]};
    const ops::ValueId gamma = variable_or(context, "scale", "gamma", channels, 1.0F);
    const ops::ValueId beta = variable_or(context, "center", "beta", channels, 0.0F);
    const ops::ValueId y = context.make("output", shape);
    std::vector<ops::ValueId> operands{x, gamma, beta, context.variable("moving_mean"),
                                       context.variable("moving_variance")};
    if (context.training())
        forward_training(context, std::move(operands), y, channels);
    else
        context.emit(ops::BatchNormInference{.epsilon = epsilon}, std::move(operands), {y});
    context.set_output(y);
}

// Where the gradient of a variable goes, or where the layer has none a place that nobody reads.
ops::ValueId gradient_or(BackwardContext& context, const char* key, const char* role,
                         const Shape& shape) {
    return context.config().boolean(key)
               ? context.variable_gradient(role)
               : context.make(std::string(role) + "_gradient", shape, DType::float32);
}

void backward(BackwardContext& context) {
    const Config& config = context.config();
    if (!context.needs_input_gradient() && !config.boolean("scale") && !config.boolean("center"))
        return;
    const ops::ValueId x = context.input();
    const Shape shape = context.value(x).shape;
    const Shape channels{shape[-1]};
    const ops::ValueId dx = context.make("input_gradient", shape);
    context.emit(ops::BatchNormBackward{.synchronized = config.boolean("synchronized")},
                 {context.output_gradient(), x, context.kept("gamma"), context.kept("mean"),
                  context.kept("inverse_deviation")},
                 {dx, gradient_or(context, "scale", "gamma", channels),
                  gradient_or(context, "center", "beta", channels)});
    if (context.needs_input_gradient()) context.set_input_gradient(0, dx);
}

std::vector<ParamSpec> params() {
    return {
        {.key = "axis",
         .type = ParamType::integer,
         .default_value = -1,
         .doc = "Axis of the channels, which must be the last one: -1",
         .minimum = -Shape::max_rank,
         .maximum = Shape::max_rank},
        {.key = "momentum",
         .type = ParamType::number,
         .default_value = 0.99,
         .doc = "Share of the moving averages that stays at each step, from 0 to 1",
         .minimum = 0,
         .maximum = 1},
        {.key = "epsilon",
         .type = ParamType::number,
         .default_value = 1e-3,
         .doc = "Small number added to the variance against division by zero",
         .minimum = 0,
         .maximum = 1,
         .exclusive_minimum = true},
        {.key = "center",
         .type = ParamType::boolean,
         .default_value = true,
         .doc = "Whether a trained offset (beta) is added to each channel"},
        {.key = "scale",
         .type = ParamType::boolean,
         .default_value = true,
         .doc = "Whether each channel is multiplied by a trained factor (gamma)"},
        {.key = "synchronized",
         .type = ParamType::boolean,
         .default_value = false,
         .doc = "Whether replicas normalise by the mean and variance of all, not each by its own"}};
}

}  // namespace

const LayerDescription& batch_normalization() {
    static const LayerDescription description{
        .spec = {.type = "BatchNormalization",
                 .aliases = {"BatchNorm", "BatchNormalizationV1"},
                 .category = LayerCategory::normalization,
                 .icon = "batch_normalization",
                 .doc = "Brings each channel of a batch to mean 0 and deviation 1, which lets deep "
                        "models train faster.",
                 .params = params()},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = {{"image", Json::object(), {{3, 5, 2}}},
                     {"features", {{"momentum", 0.9}, {"epsilon", 1e-5}}, {{7}}},
                     {"plain", {{"center", false}, {"scale", false}}, {{3}}},
                     {"no scale", {{"scale", false}}, {{4, 3, 1}}},
                     {"no center", {{"center", false}}, {{2, 5}}}},
        .summary = [](const Config&) { return std::string(); }};
    return description;
}

}  // namespace strata::layers
