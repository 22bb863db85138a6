#include "engine/layers/random_rotation.h"

namespace strata::layers {

namespace {

std::vector<ParamSpec> params() {
    std::vector<ParamSpec> all{factor_param(
        "factor", "Share of a full turn, 0.1 is 36 degrees; a number f means -f to f", -1, 1)};
    for (ParamSpec& param : sampling_params()) all.push_back(std::move(param));
    return all;
}

}  // namespace

ops::AugmentImages random_rotation_op(const Config& config) {
    ops::AugmentImages op;
    op.kind = ops::AugmentKind::rotation;
    op.first = factor_range(config, "factor");
    set_sampling(config, op);
    return op;
}

const LayerDescription& random_rotation() {
    static const LayerDescription description = augmentation_layer(
        {.type = "RandomRotation",
         .aliases = {},
         .icon = "random_rotation",
         .doc = "Turns each image about its centre by a random angle while training.",
         .params = params()},
        random_rotation_op,
        {{"reflect", {{"factor", 0.1}}, {{5, 4, 2}}},
         {"constant",
          {{"factor", Json::array({0.1, 0.3})}, {"fill_mode", "constant"}, {"fill_value", -1}},
          {{4, 4, 1}}},
         {"nearest",
          {{"factor", 0.5}, {"fill_mode", "nearest"}, {"interpolation", "nearest"}},
          {{3, 5, 3}}}},
        [](const Config& config) { return factor_text(config, "factor", 360, "°"); });
    return description;
}

}  // namespace strata::layers
