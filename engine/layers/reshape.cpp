#include "engine/layers/reshape.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/layers/inputs.h"

namespace strata::layers {
namespace {

constexpr const char* key = "target_shape";

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw Error(ErrorCode::invalid_argument, what, key, hint);
}

// The target with its -1 (at most one) filled in from the number of elements of the input.
Shape resolved(const Config& config, const Shape& input) {
    std::vector<std::int64_t> axes = config.shape(key);
    if (axes.empty()) refuse("has no axis", "Use Flatten for one axis");
    const auto open = std::find(axes.begin(), axes.end(), -1);
    if (open != axes.end() && std::find(open + 1, axes.end(), -1) != axes.end())
        refuse("has more than one -1", "Leave only one axis open");
    if (std::find(axes.begin(), axes.end(), 0) != axes.end())
        refuse("has an axis of size 0",
               "Use sizes of 1 or more, or -1 for the axis to be computed");
    const std::int64_t elements = input.elements();
    std::vector<std::int64_t> known = axes;
    std::replace(known.begin(), known.end(), std::int64_t{-1}, std::int64_t{1});
    const std::int64_t product = Shape(known).elements();
    if (open != axes.end() && elements % product == 0) *open = elements / product;
    const bool fits = open != axes.end() ? *open != -1 : product == elements;
    if (!fits)
        refuse(Shape(known).text() + " holds " + counted(product, "value") +
                   (open != axes.end() ? " for each step of the axis -1" : "") + ", the input " +
                   input.text() + " has " + std::to_string(elements),
               "Choose sizes whose product is " + std::to_string(elements));
    return Shape(axes);
}

void forward(ForwardContext& context) {
    const ops::ValueId x = context.input();
    const Shape target = resolved(context.config(), context.value(x).shape.without_batch());
    context.set_output(context.view(x, target.with_batch(context.batch())));
}

void backward(BackwardContext& context) {
    if (!context.needs_input_gradient()) return;
    const Shape shape = context.value(context.input()).shape;
    context.set_input_gradient(0, context.view(context.output_gradient(), shape));
}

std::string summary(const Config& config) {
    std::string text;
    for (const std::int64_t axis : config.shape(key))
        text += (text.empty() ? "" : ", ") + std::to_string(axis);
    return "(" + text + ")";
}

}  // namespace

const LayerDescription& reshape() {
    static const LayerDescription description{
        .spec = {.type = "Reshape",
                 .aliases = {},
                 .category = LayerCategory::core,
                 .icon = "reshape",
                 .doc = "Gives the values of each sample other axes, in the same order.",
                 .params = {{.key = key,
                             .type = ParamType::shape,
                             .default_value = nullptr,
                             .doc = "New size of one sample without the batch; one axis may be -1 "
                                    "and is computed",
                             .minimum = -1,
                             .maximum = 1 << 30}}},
        .infer = [](const Config& config, std::span<const Shape> inputs) -> Inference {
            return {.output = resolved(config, one_input(inputs)), .variables = {}};
        },
        .forward = forward,
        .backward = backward,
        .examples = {{"image", {{key, {2, 3, 2}}}, {{12}}},
                     {"open axis", {{key, {-1, 5}}}, {{3, 5, 2}}},
                     {"one row", {{key, Json::array({-1})}}, {{7, 3}}}},
        .summary = summary};
    return description;
}

}  // namespace strata::layers
