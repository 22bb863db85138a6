// Checks of copies and dropout. For the backends.
#pragma once

#include "engine/ops/elementwise.h"
#include "engine/ops/request.h"

namespace strata::ops {

inline bool is_empty(const CopyBlock& op) {
    return op.rows == 0 || op.width == 0;
}

// Throws Error{unsupported} where x and y differ in dtype, or the block leaves one of them.
void expect_block(const Request& request, const CopyBlock& op);

// The elements of one sample of x. Throws Error{unsupported} on a bad rate, or without a batch.
std::int64_t dropout_sample(const Request& request, const Dropout& op);

}  // namespace strata::ops
