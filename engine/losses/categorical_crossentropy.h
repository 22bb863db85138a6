// Cross-entropy of class probabilities with target probabilities: -sum t log p, as in Keras.
#pragma once

#include "engine/losses/loss.h"

namespace strata::losses {

const LossDescription& categorical_crossentropy();

}  // namespace strata::losses
