#include "engine/layers/average_pooling2d.h"

#include "engine/layers/pooling2d.h"

namespace strata::layers {

const LayerDescription& average_pooling2d() {
    constexpr auto kind = ops::PoolKind::average;
    static const LayerDescription description{
        .spec = {.type = "AveragePooling2D",
                 .aliases = {"AvgPool2D"},
                 .category = LayerCategory::pooling,
                 .icon = "average_pooling2d",
                 .doc = "Takes the mean of each window, so that the image becomes smaller.",
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
