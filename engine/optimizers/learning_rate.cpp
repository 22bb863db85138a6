#include "engine/optimizers/learning_rate.h"

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

}  // namespace strata::optimizers
