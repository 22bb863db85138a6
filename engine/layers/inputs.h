// Checks and counts that the layers' infer functions share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "engine/core/shape.h"

namespace strata::layers {

// The only input. Throws Error{invalid_argument} where there is another number of inputs.
const Shape& one_input(std::span<const Shape> inputs);

// The only input, which must be an image (height, width, channels), none of them 0.
const Shape& image_input(std::span<const Shape> inputs);

// At least two inputs.
void require_several(std::span<const Shape> inputs);

// The product of the factors, at most INT64_MAX: for FLOPs, where a limit does no harm.
std::int64_t product(std::initializer_list<std::int64_t> factors);

}  // namespace strata::layers
