// Adam (Kingma and Ba, arXiv 1412.6980), in Keras's form (ops/optimizer.h).
#pragma once

#include "engine/optimizers/optimizer.h"

namespace strata::optimizers {

const OptimizerDescription& adam();

}  // namespace strata::optimizers
