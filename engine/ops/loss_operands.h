// Checks of the operands of losses and metrics over rows of scores. For the backends.
#pragma once

#include "engine/ops/loss.h"
#include "engine/ops/request.h"

namespace strata::ops {

// What the messages call them.
struct ScoreWords {
    const char* scores = "scores";
    const char* result = "sum";
};

// inputs {scores, labels or targets}; outputs {sum} or {sum, gradient}, `most_outputs` of them.
// sparse: int32 labels, one a row. Throws Error{unsupported} where they do not fit.
void expect_scores(const Request& request, bool sparse, std::size_t most_outputs,
                   const ScoreWords& words = {});

}  // namespace strata::ops
