// Runs of 16-bit floats to and from float32, rounded as core/half.h rounds.
#pragma once

#include <cstdint>

#include "engine/core/dtype.h"

namespace strata::cpu {

// type: of the 16-bit side; float32 copies. On the calling thread alone.
void to_float32(DType type, const void* x, float* y, std::int64_t n);
void from_float32(DType type, const float* x, void* y, std::int64_t n);
// The same on several threads.
void to_float32(DType type, const void* x, float* y, std::int64_t n, int threads);
void from_float32(DType type, const float* x, void* y, std::int64_t n, int threads);

}  // namespace strata::cpu
