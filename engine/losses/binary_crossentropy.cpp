#include "engine/losses/binary_crossentropy.h"

namespace strata::losses {

const LossDescription& binary_crossentropy() {
    static const LossDescription description{
        .name = "binary_crossentropy",
        .keras_class = "BinaryCrossentropy",
        .doc = "For yes-or-no answers: each output is a probability of its own.",
        .target = TargetKind::same_shape,
        .aliases = {"bce", "BCE"},
        .check = [](const Shape&) {},
        .from_output = ops::BinaryCrossEntropy{.from_logits = false},
        .fuses = ops::ActivationKind::sigmoid,
        .from_logits = ops::BinaryCrossEntropy{.from_logits = true}};
    return description;
}

}  // namespace strata::losses
