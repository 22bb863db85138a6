#include "engine/core/half.h"

namespace strata {

float rounded_to(DType type, float x) {
    if (type == DType::bfloat16) return to_float(to_bfloat16(x));
    return type == DType::float16 ? to_float(to_float16(x)) : x;
}

}  // namespace strata
