#include "engine/layers/max_pooling2d.h"

#include "engine/layers/pooling2d.h"

namespace strata::layers {

const LayerDescription& max_pooling2d() {
    constexpr auto kind = ops::PoolKind::max;
    static const LayerDescription description{
        .spec = {.type = "MaxPooling2D",
                 .aliases = {"MaxPool2D"},
                 .category = LayerCategory::pooling,
                 .icon = "max_pooling2d",
                 .doc =
                     "Keeps the largest value of each window, so that the image becomes smaller.",
                 .params = pooling_params()},
        .infer = [](const Config& config,
                    std::span<const Shape> inputs) { return infer_pooling(kind, config, inputs); },
        .forward = [](ForwardContext& context) { forward_pooling(kind, context); },
        .backward = [](BackwardContext& context) { backward_pooling(kind, context); },
        .examples = pooling_examples(),
        .summary = pooling_summary};
    return description;
}

}  // namespace strata::layers
