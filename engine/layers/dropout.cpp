#include "engine/layers/dropout.h"

#include "engine/layers/inputs.h"
#include "engine/layers/text.h"

namespace strata::layers {
namespace {

constexpr std::uint32_t chosen_stream =
    0x80000000U;  // streams with this bit belong to seeds that users chose

Inference infer(const Config& config, std::span<const Shape> inputs) {
    const Shape& input = one_input(inputs);
    return {.output = input,
            .variables = {},
            .flops = config.number("rate") == 0.0 ? 0 : input.elements()};
}

// Streams of layers that have no seed of their own are their numbers, far below chosen_stream.
std::uint32_t stream_of(const Config& config, std::uint32_t own) {
    return config.is_null("seed")
               ? own
               : chosen_stream | static_cast<std::uint32_t>(config.integer("seed"));
}

void forward(ForwardContext& context) {
    const Config& config = context.config();
    const ops::ValueId x = context.input();
    const auto rate = static_cast<float>(config.number("rate"));
    if (!context.training() || rate == 0.0F) {
        context.set_output(x);
        return;
    }
    const Shape shape = context.value(x).shape;
    const ops::ValueId y = context.make("output", shape);
    context.emit(ops::Dropout{.rate = rate, .stream = stream_of(config, context.stream())}, {x},
                 {y});
    context.set_output(y);
}

void backward(BackwardContext& context) {
    if (!context.needs_input_gradient()) return;
    const Config& config = context.config();
    const ops::ValueId dy = context.output_gradient();
    const auto rate = static_cast<float>(config.number("rate"));
    if (rate == 0.0F) {
        context.set_input_gradient(0, dy);
        return;
    }
    const Shape shape = context.value(dy).shape;
    const ops::ValueId dx = context.make("input_gradient", shape);
    context.emit(ops::Dropout{.rate = rate, .stream = stream_of(config, context.stream())}, {dy},
                 {dx});
    context.set_input_gradient(0, dx);
}

}  // namespace

const LayerDescription& dropout() {
    static const LayerDescription description{
        .spec = {.type = "Dropout",
                 .aliases = {},
                 .category = LayerCategory::regularization,
                 .icon = "dropout",
                 .doc = "Sets random values to 0 while training, so that the model does not rely "
                        "on single ones.",
                 .params = {{.key = "rate",
                             .type = ParamType::number,
                             .default_value = 0.5,
                             .doc = "Share of the values set to 0, from 0 to below 1",
                             .minimum = 0,
                             .maximum = 1,
                             .exclusive_maximum = true},
                            {.key = "seed",
                             .type = ParamType::integer,
                             .default_value = nullptr,
                             .doc = "Number of the layer's own sequence of masks; unset: by its "
                                    "place in the model",
                             .minimum = 0,
                             .maximum = 2147483647,
                             .optional = true}}},
        .infer = infer,
        .forward = forward,
        .backward = backward,
        .examples = {{"quarter", {{"rate", 0.25}}, {{3, 5, 2}}},
                     {"half", Json::object(), {{7}}},
                     {"seed", {{"rate", 0.8}, {"seed", 3}}, {{13}}},
                     {"nothing", {{"rate", 0}}, {{5}}}},
        .summary = [](const Config& config) {
            return "rate " + number_text(config.number("rate"));
        }};
    return description;
}

}  // namespace strata::layers
