// What MaxPooling2D and AveragePooling2D share: parameters, shapes and ops.
#pragma once

#include "engine/layers/layer.h"
#include "engine/ops/pool2d.h"

namespace strata::layers {

// Parameters pool_size, strides (unset: pool_size), padding.
std::vector<ParamSpec> pooling_params();
Inference infer_pooling(ops::PoolKind kind, const Config& config, std::span<const Shape> inputs);
void forward_pooling(ops::PoolKind kind, ForwardContext& context);
void backward_pooling(ops::PoolKind kind, BackwardContext& context);
std::vector<LayerExample> pooling_examples();
std::string pooling_summary(const Config& config);

}  // namespace strata::layers
