#include "engine/losses/categorical_crossentropy.h"

#include "engine/losses/class_output.h"

namespace strata::losses {

const LossDescription& categorical_crossentropy() {
    static const LossDescription description{
        .name = "categorical_crossentropy",
        .keras_class = "CategoricalCrossentropy",
        .doc = "For one class a sample, given as a row of probabilities (one-hot or soft).",
        .target = TargetKind::same_shape,
        .aliases = {},
        .check = require_class_output,
        .from_output = ops::CrossEntropyFromProbabilities{.sparse = false},
        .fuses = ops::ActivationKind::softmax,
        .from_logits = ops::SoftmaxCrossEntropySoft{}};
    return description;
}

}  // namespace strata::losses
