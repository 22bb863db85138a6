// Checks of an activation that a backend is to run, alone or inside another op.
#pragma once

#include "engine/ops/activation.h"
#include "engine/ops/request.h"

namespace strata::ops {

// Throw Error{unsupported}: on a bad alpha; and unless it is element-wise, its derivative following
// from its output.
void expect_alpha(const Request& request, const Activation& activation);
void expect_fusable(const Request& request, const Activation& activation);

}  // namespace strata::ops
