// Adam (Kingma and Ba, arXiv 1412.6980), in Keras's form (ops/optimizer.h), and AdamW (Loshchilov
// and Hutter, arXiv 1711.05101): the same with weight decay by default.
#pragma once

#include "engine/optimizers/optimizer.h"

namespace strata::optimizers {

const OptimizerDescription& adam();
const OptimizerDescription& adamw();

}  // namespace strata::optimizers
