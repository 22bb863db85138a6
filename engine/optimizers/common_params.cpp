#include "engine/optimizers/common_params.h"

namespace strata::optimizers {

layers::ParamSpec learning_rate_param(double default_value) {
    return {.key = "learning_rate",
            .type = layers::ParamType::number,
            .default_value = default_value,
            .doc =
                "Size of the step that each update takes; too large and the loss jumps, too small "
                "and it crawls",
            .minimum = 0,
            .maximum = 1e6};
}

layers::ParamSpec weight_decay_param(const Json& default_value) {
    return {.key = "weight_decay",
            .type = layers::ParamType::number,
            .default_value = default_value,
            .doc =
                "Share of each weight, times the learning rate, that an update takes away from "
                "it; 0 for none",
            .minimum = 0,
            .maximum = 1e6,
            .optional = default_value.is_null()};
}

}  // namespace strata::optimizers
