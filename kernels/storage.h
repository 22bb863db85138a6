// The 16-bit floats that kernels read and write beside float. They compute in float32 and round
// each result once, to the nearest even. A launcher that takes a type T is there for all three.
#pragma once

#include <cstdint>

namespace strata::kernels {

struct BFloat16 {
    std::uint16_t bits;  // the upper half of a float32
};

struct Float16 {
    std::uint16_t bits;  // IEEE 754: 1 sign, 5 exponent and 10 fraction bits
};

}  // namespace strata::kernels
