// Tied weights: layers that compute with the variables of another one. Used by model only.
#pragma once

#include "engine/graph/model.h"

namespace strata::graph {

// Gives each layer that shares and has no configuration of its own the owner's. Throws
// Error{invalid_argument} where the owner does not exist.
void take_over_configurations(Model& model);

// Leaves the variables with their owners, each once, and names the owner at the others. What cannot
// be shared is the error of the layer that would: another type, configuration, precision or shape,
// an owner that shares itself, variables that are none or that are moving averages.
void share_variables(const Model& model, ModelReport& report);

}  // namespace strata::graph
