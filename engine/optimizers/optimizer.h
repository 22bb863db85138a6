// Optimizers: one description each. State is one flat float32 array a slot, as long as all
// trainable variables.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layers/spec.h"
#include "engine/ops/op.h"

namespace strata::optimizers {

struct OptimizerDescription {
    std::string type;  // Keras class name: "Adam"
    std::string doc;
    std::vector<layers::ParamSpec> params;  // learning_rate among them
    // State arrays that this configuration needs, by Keras's suffix, in file order: {"momentum",
    // "velocity"} for Adam.
    std::function<std::vector<std::string>(const layers::Config&)> slots;
    // The update op; its inputs are {weights, gradients, slots..., norm}, all flat but the norm.
    std::function<ops::Attributes(const layers::Config&, ops::ClipKind)> update;
};

// What StepScalars::weight_decay is for this configuration; 0 where it is unset.
double weight_decay(const layers::Config& config);

const std::vector<const OptimizerDescription*>& catalogue();
const OptimizerDescription& find_optimizer(
    std::string_view type);  // throws Error{not_found} with the nearest name

}  // namespace strata::optimizers
