// The parameters that every optimizer has.
#pragma once

#include "engine/layers/spec.h"

namespace strata::optimizers {

layers::ParamSpec learning_rate_param(double default_value);
// Decoupled, as Keras's weight_decay; nullptr: none unless the user gives it.
layers::ParamSpec weight_decay_param(const Json& default_value);

}  // namespace strata::optimizers
