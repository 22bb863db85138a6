// Keras 3's activations in float64, each from its definition, and their slopes by differences.
#pragma once

#include "engine/ops/activation.h"

namespace strata::test {

double activation_value(const ops::Activation& activation, double x);  // element-wise kinds
double activation_slope(const ops::Activation& activation, double x);
// True where the slope jumps near x, so that no value is expected there.
bool near_kink(const ops::Activation& activation, double x);

}  // namespace strata::test
