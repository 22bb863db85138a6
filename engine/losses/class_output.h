// The check of the model's output that the losses over classes share.
#pragma once

#include "engine/core/shape.h"

namespace strata::losses {

// Throws Error{invalid_argument} unless the output is (classes,) with two classes or more.
void require_class_output(const Shape& output);

}  // namespace strata::losses
