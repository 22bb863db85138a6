// One layer's configuration read from Keras's JSON. Used by model_from_keras only.
#pragma once

#include <optional>

#include "engine/core/json.h"
#include "engine/layers/layer.h"

namespace strata::interop {

// What the project file holds as "config". config: Keras's; keys that do not change a prediction
// (initializers, regularizers, ...) are left out. Throws Error{unsupported} naming the key for what
// the program cannot do.
Json layer_config_from_keras(const layers::LayerSpec& spec, const Json& config);

// The sample shape of "batch_shape" or "batch_input_shape", or nothing where there is none.
// Throws Error{unsupported} where an axis other than the batch is open.
std::optional<Json> sample_shape_from_keras(const Json& config);

}  // namespace strata::interop
