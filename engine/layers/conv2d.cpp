#include "engine/layers/conv2d.h"

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/layers/activation.h"
#include "engine/layers/inputs.h"
#include "engine/layers/text.h"
#include "engine/layers/window.h"

namespace strata::layers {
namespace {

constexpr double most_filters = 1 << 20;

WindowPlace place(const Config& config, std::int64_t height, std::int64_t width) {
    return place_window({.size_key = "kernel_size",
                         .size = config.pair("kernel_size"),
                         .strides = config.pair("strides"),
                         .dilation = config.pair("dilation_rate"),
                         .same = config.text("padding") == "same"},
                        height, width);
}

int groups_of(const Config& config) {
    return static_cast<int>(config.integer("groups"));
}

void check(const Config& config, std::int64_t channels) {
    const std::int64_t groups = config.integer("groups");
    const std::int64_t filters = config.integer("filters");
    if (channels % groups != 0)
        throw Error(
            ErrorCode::invalid_argument,
            std::to_string(groups) + " does not divide the " + counted(channels, "input channel"),
            "groups", "Choose a divisor of " + std::to_string(channels));
    if (filters % groups != 0)
        throw Error(ErrorCode::invalid_argument,
                    std::to_string(groups) + " does not divide the " + counted(filters, "filter"),
                    "groups",
                    "Choose a divisor of " + std::to_string(filters) + " or other filters");
    if (config.pair("strides") != std::pair{1, 1} &&
        config.pair("dilation_rate") != std::pair{1, 1})
        throw Error(ErrorCode::invalid_argument,
                    "cannot be above 1 together with strides, as in Keras", "dilation_rate",
                    "Set one of the two to 1");
}

Inference infer(const Config& config, std::span<const Shape> inputs) {
    const Shape& input = image_input(inputs);
    check(config, input[2]);
    const WindowPlace placed = place(config, input[0], input[1]);
    const auto [kh, kw] = config.pair("kernel_size");
    const std::int64_t filters = config.integer("filters");
    const std::int64_t channels = input[2] / config.integer("groups");  // that one filter sees
    const std::int64_t cells = std::int64_t{kh} * kw;
    const bool has_bias = config.boolean("use_bias");
    Inference inference;
    inference.output = {placed.height, placed.width, filters};
    inference.variables.push_back({.role = "kernel",
                                   .shape = {kh, kw, channels, filters},
                                   .initializer = Initializer::glorot_uniform,
                                   .fan_in = product({cells, channels}),
                                   .fan_out = product({cells, filters})});
    if (has_bias) inference.variables.push_back({.role = "bias", .shape = {filters}});
    const std::int64_t outputs = inference.output.elements();
    inference.flops = product({outputs, 2, cells, channels}) + (has_bias ? outputs : 0) +
                      activation_flops(activation_of(config), outputs);
    return inference;
}

void forward(ForwardContext& context) {
    const Config& config = context.config();
    const ops::ValueId x = context.input();
    const Shape input = context.value(x).shape;
    const WindowPlace placed = place(config, input[1], input[2]);
    const bool has_bias = config.boolean("use_bias");
    const ops::ValueId z =
        context.make_for(activation_of(config), "convolution",
                         {context.batch(), placed.height, placed.width, config.integer("filters")});
    std::vector<ops::ValueId> operands{x, context.variable("kernel")};
    if (has_bias) operands.push_back(context.variable("bias"));
    context.emit(ops::Conv2D{.window = placed.window,
                             .groups = groups_of(config),
                             .has_bias = has_bias,
                             .activation = {}},
                 std::move(operands), {z});
    context.set_output(context.activate(z, activation_of(config)));
}

void backward(BackwardContext& context) {
    const Config& config = context.config();
    const ops::ValueId dz = context.activate_backward(activation_of(config));
    const ops::ValueId x = context.input();
    const Shape input = context.value(x).shape;
    const ops::Window2D window = place(config, input[1], input[2]).window;
    const bool has_bias = config.boolean("use_bias");
    std::vector<ops::ValueId> gradients{context.variable_gradient("kernel")};
    if (has_bias) gradients.push_back(context.variable_gradient("bias"));
    context.emit(
        ops::Conv2DBackwardWeights{
            .window = window, .groups = groups_of(config), .has_bias = has_bias},
        {x, dz}, std::move(gradients));
    if (!context.needs_input_gradient()) return;
    const ops::ValueId dx = context.make("input_gradient", input);
    context.emit(ops::Conv2DBackwardData{.window = window, .groups = groups_of(config)},
                 {dz, context.variable("kernel")}, {dx});
    context.set_input_gradient(0, dx);
}

std::vector<ParamSpec> params() {
    return {{.key = "filters",
             .type = ParamType::integer,
             .default_value = nullptr,
             .doc = "Number of output channels",
             .minimum = 1,
             .maximum = most_filters},
            cells_param("kernel_size", nullptr, "Height and width of the window in pixels"),
            cells_param("strides", 1, "Step of the window in pixels, down and to the right"),
            padding_param("adds zeros"),
            cells_param("dilation_rate", 1,
                        "Distance of the window's cells in pixels; 1 leaves no gaps"),
            {.key = "groups",
             .type = ParamType::integer,
             .default_value = 1,
             .doc = "Number of parts into which the channels are cut; each filter sees one of them",
             .minimum = 1,
             .maximum = most_filters},
            activation_param(),
            {.key = "use_bias",
             .type = ParamType::boolean,
             .default_value = true,
             .doc = "Whether a trained number is added to each filter's output"}};
}

Json config_of(int filters, const Json& kernel, const Json& others = Json::object()) {
    Json config{{"filters", filters}, {"kernel_size", kernel}};
    config.update(others);
    return config;
}

std::vector<LayerExample> examples() {
    return {
        {"relu", config_of(4, 3, {{"activation", "relu"}}), {{6, 5, 1}}},
        {"same", config_of(3, 3, {{"padding", "same"}}), {{4, 5, 2}}},
        {"same even kernel", config_of(2, {2, 4}, {{"padding", "same"}}), {{5, 4, 3}}},
        {"same stride 2", config_of(3, 3, {{"strides", 2}, {"padding", "same"}}), {{6, 5, 2}}},
        {"strides 2 and 1", config_of(2, {3, 2}, {{"strides", {2, 1}}}), {{7, 5, 1}}},
        {"stride beyond kernel", config_of(2, 2, {{"strides", 3}}), {{7, 7, 2}}},
        {"dilation", config_of(2, {3, 2}, {{"dilation_rate", {2, 3}}}), {{7, 6, 2}}},
        {"dilation same",
         config_of(2, 3, {{"dilation_rate", 2}, {"padding", "same"}}),
         {{6, 5, 1}}},
        {"groups", config_of(6, 3, {{"groups", 2}, {"padding", "same"}}), {{4, 4, 4}}},
        {"group a channel", config_of(3, 3, {{"groups", 3}, {"activation", "tanh"}}), {{5, 5, 3}}},
        {"one by one",
         config_of(5, 1, {{"use_bias", false}, {"activation", "sigmoid"}}),
         {{3, 3, 4}}},
        {"softmax", config_of(3, 2, {{"activation", "softmax"}}), {{4, 3, 2}}},
        {"whole image", config_of(1, {4, 3}), {{4, 3, 2}}}};
}

}  // namespace

const LayerDescription& conv2d() {
    static const LayerDescription description{
        .spec = {.type = "Conv2D",
                 .aliases = {"Convolution2D"},
                 .category = LayerCategory::convolution,
                 .icon = "conv2d",
                 .doc =
                     "Slides small trained filters over the image; each gives one output channel.",
                 .params = params()},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = examples(),
        .summary = [](const Config& config) {
            return summary_text({counted(config.integer("filters"), "filter"),
                                 size_text(config.pair("kernel_size")),
                                 stride_summary(config.pair("strides")),
                                 activation_summary(config)});
        }};
    return description;
}

}  // namespace strata::layers
