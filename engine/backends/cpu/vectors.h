// Vectors of 16 floats for bodies of simd(): one register with AVX-512, two or four below. For
// loops that keep sums in registers, which the compiler's own vectors do not.
#pragma once

#include <cstdint>
#include <cstring>

#include "engine/backends/cpu/simd.h"

namespace strata::cpu {

inline constexpr std::int64_t vector_floats = 16;
using Vector = float __attribute__((vector_size(64)));
using IntVector = std::int32_t __attribute__((vector_size(64)));
using WordVector = std::uint32_t __attribute__((vector_size(64)));

// By reference: passing vectors would depend on the caller's instruction set.
STRATA_INLINE void load(Vector& v, const float* from) {
    std::memcpy(&v, from, sizeof v);
}
STRATA_INLINE void store(float* to, const Vector& v) {
    std::memcpy(to, &v, sizeof v);
}

}  // namespace strata::cpu
