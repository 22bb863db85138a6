// The settings of a training that may change while it goes on: which values they may have. One rule
// for the project, for requests from outside and for those of the studio.
#pragma once

#include <string>

#include "engine/layers/spec.h"

namespace strata::train {

const layers::ParamSpec& learning_rate_rule();
const layers::ParamSpec& clip_limit_rule();
const layers::ParamSpec& weight_decay_rule();

// `value` itself. Throws Error{invalid_argument} at `where` that says what it may be.
double checked(const layers::ParamSpec& rule, double value, const std::string& where);

}  // namespace strata::train
