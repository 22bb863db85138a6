#include "engine/layers/augmentation.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/layers/inputs.h"
#include "engine/layers/names.h"
#include "engine/layers/random_contrast.h"
#include "engine/layers/random_flip.h"
#include "engine/layers/random_rotation.h"
#include "engine/layers/random_translation.h"
#include "engine/layers/random_zoom.h"
#include "engine/layers/text.h"

namespace strata::layers {
namespace {

struct Augmentation {
    const LayerDescription& (*layer)();
    AugmentOp op_of;
};
constexpr Augmentation augmentations[] = {{&random_flip, &random_flip_op},
                                          {&random_translation, &random_translation_op},
                                          {&random_rotation, &random_rotation_op},
                                          {&random_zoom, &random_zoom_op},
                                          {&random_contrast, &random_contrast_op}};

// Streams with this bit belong to seeds that users chose.
constexpr std::uint32_t chosen_stream = 0x80000000U;

ops::AugmentImages with_stream(ops::AugmentImages op, const Config& config, std::uint32_t own) {
    op.stream = config.is_null("seed")
                    ? own
                    : chosen_stream | static_cast<std::uint32_t>(config.integer("seed"));
    return op;
}

// One formula a value: four products of weights and values where pixels are blended.
std::int64_t flops_of(const ops::AugmentImages& op, const Shape& shape) {
    if (op.kind == ops::AugmentKind::flip) return 0;
    if (op.kind == ops::AugmentKind::contrast) return product({4, shape.elements()});
    return product({op.bilinear ? 8 : 1, shape.elements()});
}

void forward(ForwardContext& context, AugmentOp op_of) {
    const ops::ValueId x = context.input();
    if (!context.training()) {
        context.set_output(x);
        return;
    }
    const Shape shape = context.value(x).shape;
    const ops::ValueId y = context.make("output", shape);
    context.emit(with_stream(op_of(context.config()), context.config(), context.stream()), {x},
                 {y});
    context.set_output(y);
}

void backward(BackwardContext& context, AugmentOp op_of) {
    if (!context.needs_input_gradient()) return;
    const ops::ValueId dy = context.output_gradient();
    const Shape shape = context.value(dy).shape;
    const ops::ValueId dx = context.make("input_gradient", shape);
    const ops::AugmentImagesBackward op{
        with_stream(op_of(context.config()), context.config(), context.stream())};
    std::vector<ops::ValueId> read{dy};
    if (op.forward.kind == ops::AugmentKind::contrast) read.push_back(context.input());
    context.emit(op, std::move(read), {dx});
    context.set_input_gradient(0, dx);
}

}  // namespace

const LayerDescription& find_augmentation(std::string_view type) {
    std::vector<std::string> types;
    for (const Augmentation& augmentation : augmentations) {
        const LayerSpec& spec = augmentation.layer().spec;
        types.push_back(spec.type);
        if (spec.type == type ||
            std::find(spec.aliases.begin(), spec.aliases.end(), type) != spec.aliases.end())
            return augmentation.layer();
    }
    refuse_unknown_name("augmentation layer", type, "type", types);
}

Config checked_augmentation(const LayerDescription& layer, const Json& given) {
    Config config = Config::checked(layer.spec.params, given);
    augment_op(layer, config, 0);
    return config;
}

ops::AugmentImages augment_op(const LayerDescription& layer, const Config& config,
                              std::uint32_t own_stream) {
    for (const Augmentation& augmentation : augmentations)
        if (&augmentation.layer() == &layer)
            return with_stream(augmentation.op_of(config), config, own_stream);
    throw Error(ErrorCode::internal, "the layer is no augmentation", layer.spec.type);
}

LayerDescription augmentation_layer(LayerSpec spec, AugmentOp op_of,
                                    std::vector<LayerExample> examples,
                                    std::function<std::string(const Config&)> summary) {
    spec.category = LayerCategory::preprocessing;
    spec.float32_only = true;
    spec.params.push_back(seed_param());
    return {.spec = std::move(spec),
            .infer =
                [op_of](const Config& config, std::span<const Shape> inputs) {
                    const Shape& input = image_input(inputs);
                    return Inference{
                        .output = input, .variables = {}, .flops = flops_of(op_of(config), input)};
                },
            .forward = [op_of](ForwardContext& context) { forward(context, op_of); },
            .backward = [op_of](BackwardContext& context) { backward(context, op_of); },
            .examples = std::move(examples),
            .summary = std::move(summary)};
}

ops::Range factor_range(const Config& config, const char* key) {
    std::vector<double> bounds = config.numbers(key);
    if (bounds.size() == 1 && config.json().at(key).is_number())
        bounds = {-std::abs(bounds[0]), std::abs(bounds[0])};
    if (bounds.size() != 2)
        throw Error(
            ErrorCode::invalid_argument,
            "must be a number or two numbers, found " + shortened(config.json().at(key).dump()),
            key, "0.1 draws from -0.1 to 0.1, [0, 0.2] from 0 to 0.2");
    std::sort(bounds.begin(), bounds.end());
    return {static_cast<float>(bounds[0]), static_cast<float>(bounds[1])};
}

std::string factor_text(const Config& config, const char* key, double scale, const char* unit) {
    const ops::Range range = factor_range(config, key);
    const auto text = [&](float value) {
        const double rounded = std::round(static_cast<double>(value) * scale * 100) / 100;
        return rounded < 0 ? "−" + number_text(-rounded) : number_text(rounded);
    };
    if (range.lower == -range.upper) return "± " + text(range.upper) + unit;
    return text(range.lower) + " to " + text(range.upper) + unit;
}

ParamSpec factor_param(const char* key, const char* doc, double minimum, double maximum) {
    return {.key = key,
            .type = ParamType::number_list,
            .default_value = nullptr,
            .doc = doc,
            .minimum = minimum,
            .maximum = maximum};
}

std::vector<ParamSpec> sampling_params() {
    return {
        {.key = "fill_mode",
         .type = ParamType::choice,
         .default_value = "reflect",
         .doc = "What stands where the image ends: its mirror image, the other side, the "
                "nearest pixel, or fill_value",
         .choices = {"reflect", "wrap", "nearest", "constant"}},
        {.key = "interpolation",
         .type = ParamType::choice,
         .default_value = "bilinear",
         .doc = "Whether a pixel is blended of its four neighbours, or the nearest one is taken",
         .choices = {"bilinear", "nearest"}},
        {.key = "fill_value",
         .type = ParamType::number,
         .default_value = 0.0,
         .doc = "Value of the pixels outside the image",
         .visible_when = "fill_mode=constant"}};
}

void set_sampling(const Config& config, ops::AugmentImages& op) {
    const std::string& mode = config.text("fill_mode");
    op.fill_mode = mode == "wrap"       ? ops::FillMode::wrap
                   : mode == "nearest"  ? ops::FillMode::nearest
                   : mode == "constant" ? ops::FillMode::constant
                                        : ops::FillMode::reflect;
    op.bilinear = config.text("interpolation") == "bilinear";
    op.fill_value = static_cast<float>(config.number("fill_value"));
}

ParamSpec seed_param() {
    return {.key = "seed",
            .type = ParamType::integer,
            .default_value = nullptr,
            .doc = "Number of the layer's own sequence of draws; unset: by its place",
            .minimum = 0,
            .maximum = 2147483647,
            .optional = true};
}

}  // namespace strata::layers
