#include "engine/layers/random_flip.h"

namespace strata::layers {

ops::AugmentImages random_flip_op(const Config& config) {
    const std::string& mode = config.text("mode");
    ops::AugmentImages op;
    op.kind = ops::AugmentKind::flip;
    op.horizontal = mode != "vertical";
    op.vertical = mode != "horizontal";
    return op;
}

const LayerDescription& random_flip() {
    static const LayerDescription description = augmentation_layer(
        {.type = "RandomFlip",
         .aliases = {},
         .icon = "random_flip",
         .doc = "Mirrors random images while training, left and right or top and bottom.",
         .params = {{.key = "mode",
                     .type = ParamType::choice,
                     .default_value = "horizontal_and_vertical",
                     .doc = "Which sides change places: left and right, top and bottom, or each by "
                            "its own draw",
                     .choices = {"horizontal", "vertical", "horizontal_and_vertical"}}}},
        random_flip_op,
        {{"both", Json::object(), {{3, 5, 2}}},
         {"left and right", {{"mode", "horizontal"}}, {{4, 3, 1}}},
         {"top and bottom", {{"mode", "vertical"}, {"seed", 8}}, {{2, 3, 3}}}},
        [](const Config& config) {
            const std::string& mode = config.text("mode");
            return mode == "horizontal_and_vertical" ? std::string("both axes") : mode;
        });
    return description;
}

}  // namespace strata::layers
