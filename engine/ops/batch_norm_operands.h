// The sizes of a batch normalisation, taken from its operands and checked. For the backends.
#pragma once

#include "engine/ops/batch_norm.h"
#include "engine/ops/request.h"

namespace strata::ops {

// (rows, channels) of the first input. Inputs before `first_input` and the first output are of one
// compute type, all others float32 and (C). Throws Error{unsupported} where they are not.
Matrix batch_norm_sizes(const Request& request, std::size_t first_input);

void check_operands(const Request& request, const AccumulateStatistics& op);
void check_operands(const Request& request, const MovingAverage& op);

}  // namespace strata::ops
