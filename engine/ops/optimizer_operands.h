// What the ops of optimizer.h need of their operands; both backends ask here before they make one.
#pragma once

#include "engine/ops/optimizer.h"
#include "engine/ops/request.h"

namespace strata::ops {

// Throws Error{unsupported} where an operand has another type or size than the op's comment says.
void check_operands(const Request& request, const SgdUpdate& op);
void check_operands(const Request& request, const AdamUpdate& op);
void check_operands(const Request& request, const SumOfSquares& op);
void check_operands(const Request& request, const AccumulateGradient& op);
void check_operands(const Request& request, const ClipByVariableNorm& op);
void check_operands(const Request& request, const EmaUpdate& op);

}  // namespace strata::ops
