// Tied weights: layers that compute with the variables of another one. Used by model only.
#pragma once

#include "engine/graph/model.h"

namespace strata::graph {

// Gives a layer that shares the owner's configuration and, where it has none, precision. given:
// keys that the file has for the layer nevertheless, or null. Throws Error{invalid_argument} where
// there is no such owner of its type, or one that shares itself.
void take_over_configuration(Model& model, std::size_t layer, const Json& given);

// Leaves the variables with their owners, each once, and names the owner at the others. What cannot
// be shared is the error of the layer that would: another type, configuration, precision or shape,
// an owner that shares itself, variables that are none or that are moving averages.
void share_variables(const Model& model, ModelReport& report);

}  // namespace strata::graph
