// Stochastic gradient descent with momentum and Nesterov's variant, in Keras's form
// (ops/optimizer.h).
#pragma once

#include "engine/optimizers/optimizer.h"

namespace strata::optimizers {

const OptimizerDescription& sgd();

}  // namespace strata::optimizers
