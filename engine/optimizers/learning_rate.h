// The parameter that every optimizer has.
#pragma once

#include "engine/layers/spec.h"

namespace strata::optimizers {

layers::ParamSpec learning_rate_param(double default_value);

}  // namespace strata::optimizers
