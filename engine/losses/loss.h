// Losses: one description each, the pattern of layers.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layers/spec.h"
#include "engine/ops/op.h"

namespace strata::losses {

// What targets a loss compares with.
enum class TargetKind : std::uint8_t {
    class_index,  // int32 (N): the label
    same_shape    // float32 of the output's shape (one-hot, soft or real values)
};

struct LossDescription {
    std::string name;         // Keras's: "sparse_categorical_crossentropy"
    std::string keras_class;  // "SparseCategoricalCrossentropy"
    std::string doc;
    TargetKind target = TargetKind::class_index;
    std::vector<std::string> aliases;  // "mse"
    // Checks the model's output (sample shape) for it. Throws Error{invalid_argument} that says
    // what fits.
    std::function<void(const Shape& output)> check;
    // The loss op from the model's output.
    ops::Attributes from_output;
    // The activation that may be fused into it (softmax, sigmoid; linear = none), and the op from
    // that activation's input.
    ops::ActivationKind fuses = ops::ActivationKind::linear;
    ops::Attributes from_logits;
};

const std::vector<const LossDescription*>& catalogue();
const LossDescription& find_loss(
    std::string_view name);  // throws Error{not_found} with the nearest name

}  // namespace strata::losses
