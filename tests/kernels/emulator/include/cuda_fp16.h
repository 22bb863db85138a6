// Stand-in for the CUDA toolkit's header of the same name: the conversions that the kernels use.
#pragma once

#include "engine/core/half.h"

struct __half {
    unsigned short bits;
};

inline __half __ushort_as_half(unsigned short bits) {
    return {bits};
}
inline unsigned short __half_as_ushort(__half x) {
    return x.bits;
}
inline float __half2float(__half x) {
    return strata::to_float(strata::Float16{x.bits});
}
inline __half __float2half_rn(float x) {
    return {strata::to_float16(x).bits};
}
