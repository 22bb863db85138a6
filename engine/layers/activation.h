// The Activation layer, and the parameter that Dense and Conv2D share with it.
#pragma once

#include "engine/layers/layer.h"

namespace strata::layers {

const LayerDescription& activation();

ParamSpec activation_param();
ops::Activation activation_of(const Config& config);
std::string activation_summary(const Config& config);  // "" for linear
// FLOPs of the activation on `elements` values: one a value, five where it is row-wise, none for
// linear.
std::int64_t activation_flops(const ops::Activation& activation, std::int64_t elements);

}  // namespace strata::layers
