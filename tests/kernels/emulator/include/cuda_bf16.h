// Stand-in for the CUDA toolkit's header of the same name: the conversions that the kernels use.
#pragma once

#include "engine/core/half.h"

struct __nv_bfloat16 {
    unsigned short bits;
};

inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return {bits};
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
    return x.bits;
}
inline float __bfloat162float(__nv_bfloat16 x) {
    return strata::to_float(strata::BFloat16{x.bits});
}
inline __nv_bfloat16 __float2bfloat16_rn(float x) {
    return {strata::to_bfloat16(x).bits};
}
