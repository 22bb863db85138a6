#include "engine/layers/random_translation.h"

#include "engine/layers/text.h"

namespace strata::layers {

namespace {

std::vector<ParamSpec> params() {
    std::vector<ParamSpec> all{factor_param("height_factor",
                                            "Share of the height by which an image moves down "
                                            "(negative: up); a number f means -f to f",
                                            -1, 1),
                               factor_param("width_factor",
                                            "Share of the width by which an image moves right "
                                            "(negative: left); a number f means -f to f",
                                            -1, 1)};
    for (ParamSpec& param : sampling_params()) all.push_back(std::move(param));
    return all;
}

}  // namespace

ops::AugmentImages random_translation_op(const Config& config) {
    ops::AugmentImages op;
    op.kind = ops::AugmentKind::translation;
    op.first = factor_range(config, "height_factor");
    op.second = factor_range(config, "width_factor");
    set_sampling(config, op);
    return op;
}

const LayerDescription& random_translation() {
    static const LayerDescription description = augmentation_layer(
        {.type = "RandomTranslation",
         .aliases = {},
         .icon = "random_translation",
         .doc = "Shifts each image by a random distance while training.",
         .params = params()},
        random_translation_op,
        {{"reflect", {{"height_factor", 0.3}, {"width_factor", 0.4}}, {{5, 6, 2}}},
         {"constant",
          {{"height_factor", Json::array({0.2, 0.5})},
           {"width_factor", 0},
           {"fill_mode", "constant"},
           {"fill_value", 0.5}},
          {{4, 3, 1}}},
         {"wrap and nearest pixels",
          {{"height_factor", 1},
           {"width_factor", Json::array({-0.9, 0.1})},
           {"fill_mode", "wrap"},
           {"interpolation", "nearest"}},
          {{3, 4, 3}}}},
        [](const Config& config) {
            return summary_text({factor_text(config, "height_factor", 100, " %"),
                                 factor_text(config, "width_factor", 100, " %")});
        });
    return description;
}

}  // namespace strata::layers
