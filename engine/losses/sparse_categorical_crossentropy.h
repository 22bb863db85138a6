// Cross-entropy of class probabilities with labels: -log p[label], as in Keras.
#pragma once

#include "engine/losses/loss.h"

namespace strata::losses {

const LossDescription& sparse_categorical_crossentropy();

}  // namespace strata::losses
