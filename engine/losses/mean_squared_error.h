// Mean over the outputs of the squared difference, as in Keras.
#pragma once

#include "engine/losses/loss.h"

namespace strata::losses {

const LossDescription& mean_squared_error();

}  // namespace strata::losses
