#include "engine/losses/mean_squared_error.h"

namespace strata::losses {

const LossDescription& mean_squared_error() {
    static const LossDescription description{
        .name = "mean_squared_error",
        .keras_class = "MeanSquaredError",
        .doc = "For real numbers: the mean of the squared differences.",
        .target = TargetKind::same_shape,
        .aliases = {"mse", "MSE"},
        .check = [](const Shape&) {},
        .from_output = ops::MeanSquaredError{},
        .fuses = ops::ActivationKind::linear,
        .from_logits = ops::MeanSquaredError{}};
    return description;
}

}  // namespace strata::losses
