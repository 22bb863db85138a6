#include "engine/losses/sparse_categorical_crossentropy.h"

#include "engine/losses/class_output.h"

namespace strata::losses {

const LossDescription& sparse_categorical_crossentropy() {
    static const LossDescription description{
        .name = "sparse_categorical_crossentropy",
        .keras_class = "SparseCategoricalCrossentropy",
        .doc =
            "For one class a sample, given as a number: how surprised the model is by the right "
            "class.",
        .target = TargetKind::class_index,
        .aliases = {},
        .check = require_class_output,
        .from_output = ops::CrossEntropyFromProbabilities{.sparse = true},
        .fuses = ops::ActivationKind::softmax,
        .from_logits = ops::SoftmaxCrossEntropy{}};
    return description;
}

}  // namespace strata::losses
