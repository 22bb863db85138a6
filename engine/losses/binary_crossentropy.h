// Cross-entropy of independent yes-or-no probabilities, mean over the outputs, as in Keras.
#pragma once

#include "engine/losses/loss.h"

namespace strata::losses {

const LossDescription& binary_crossentropy();

}  // namespace strata::losses
