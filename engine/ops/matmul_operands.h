// The sizes of a matrix product, taken from its operands and checked. For the backends.
#pragma once

#include "engine/ops/matmul.h"
#include "engine/ops/request.h"

namespace strata::ops {

struct MatmulSizes {
    std::int64_t m = 0, n = 0, k = 0;
    DType type = DType::float32;  // of A and B
};

// Both throw Error{unsupported} where an operand does not fit.
MatmulSizes matmul_sizes(const Request& request, const Matmul& op);
Matrix bias_gradient_sizes(const Request& request);  // of dy

}  // namespace strata::ops
