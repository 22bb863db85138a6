#include "engine/layers/random_contrast.h"

#include "engine/core/error.h"
#include "engine/layers/text.h"

namespace strata::layers {

// Keras draws from 1 - lower to 1 + upper; a number f is both, as its documentation says.
ops::AugmentImages random_contrast_op(const Config& config) {
    ops::AugmentImages op;
    op.kind = ops::AugmentKind::contrast;
    op.first = factor_range(config, "factor");
    if (config.json().at("factor").is_array()) op.first.lower = -op.first.lower;
    const std::vector<double> values = config.numbers("value_range");
    if (values.size() != 2 || !(values[0] < values[1]))
        throw Error(ErrorCode::invalid_argument, "must be two numbers, the lower one first",
                    "value_range", "[0, 255] for bytes, [0, 1] for rescaled images");
    op.values = {static_cast<float>(values[0]), static_cast<float>(values[1])};
    return op;
}

const LayerDescription& random_contrast() {
    static const LayerDescription description = augmentation_layer(
        {.type = "RandomContrast",
         .aliases = {},
         .icon = "random_contrast",
         .doc = "Changes the contrast of each image by a random factor while training.",
         .params =
             {factor_param("factor",
                           "Share by which the contrast changes: f from 1 - f to 1 + f times, two "
                           "from 1 - lower to 1 + upper",
                           0, 1),
              {.key = "value_range",
               .type = ParamType::number_list,
               .default_value = Json::array({0.0, 255.0}),
               .doc = "Lowest and highest value that an image may have; what goes beyond is cut"}}},
        random_contrast_op,
        {{"bytes", {{"factor", 0.2}}, {{3, 3, 1}}},
         {"wide range", {{"factor", 0.4}, {"value_range", Json::array({-20, 20})}}, {{4, 3, 2}}},
         {"cut",
          {{"factor", Json::array({0.1, 0.9})}, {"value_range", Json::array({-0.7, 0.8})}},
          {{5, 5, 1}}}},
        [](const Config& config) {
            const ops::Range range = random_contrast_op(config).first;
            return "× " + number_text(1 + static_cast<double>(range.lower)) + " to " +
                   number_text(1 + static_cast<double>(range.upper));
        });
    return description;
}

}  // namespace strata::layers
