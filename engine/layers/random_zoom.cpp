#include "engine/layers/random_zoom.h"

#include "engine/layers/text.h"

namespace strata::layers {

namespace {

ParamSpec zoom_param(const char* key, const char* doc) {
    ParamSpec param = factor_param(key, doc, -1, 1);
    param.exclusive_minimum = true;
    return param;
}

std::vector<ParamSpec> params() {
    std::vector<ParamSpec> all{
        zoom_param("height_factor",
                   "Share by which the height shrinks (negative: grows); a number f means -f to f"),
        zoom_param("width_factor",
                   "The same for the width; unset: as much as the height, so that the image keeps "
                   "its proportions")};
    all.back().optional = true;
    for (ParamSpec& param : sampling_params()) all.push_back(std::move(param));
    return all;
}

}  // namespace

ops::AugmentImages random_zoom_op(const Config& config) {
    ops::AugmentImages op;
    op.kind = ops::AugmentKind::zoom;
    op.first = factor_range(config, "height_factor");
    op.one_zoom = config.is_null("width_factor");
    if (!op.one_zoom) op.second = factor_range(config, "width_factor");
    set_sampling(config, op);
    return op;
}

const LayerDescription& random_zoom() {
    static const LayerDescription description = augmentation_layer(
        {.type = "RandomZoom",
         .aliases = {},
         .icon = "random_zoom",
         .doc = "Enlarges or shrinks each image by a random factor while training.",
         .params = params()},
        random_zoom_op,
        {{"in proportion", {{"height_factor", 0.3}}, {{5, 6, 2}}},
         {"constant",
          {{"height_factor", Json::array({0.2, 0.5})},
           {"width_factor", 0.4},
           {"fill_mode", "constant"}},
          {{4, 3, 1}}},
         {"nearest",
          {{"height_factor", 0.5},
           {"width_factor", Json::array({-0.6, -0.1})},
           {"fill_mode", "nearest"},
           {"interpolation", "nearest"}},
          {{4, 5, 3}}}},
        [](const Config& config) {
            const std::string height = factor_text(config, "height_factor", 100, " %");
            if (config.is_null("width_factor")) return height;
            return summary_text({height, factor_text(config, "width_factor", 100, " %")});
        });
    return description;
}

}  // namespace strata::layers
