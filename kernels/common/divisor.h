// Division by what a launch fixes, as a multiplication: for a GPU a division of integers is some 25
// instructions.
#pragma once

#include "kernels/common/launch.h"

namespace strata::kernels {

struct Divisor {
    std::int64_t value = 1;
    // 2^(31 + shift) / value, rounded up, with 2^shift the power of two that is not below the
    // value (Granlund and Montgomery, "Division by invariant integers using multiplication", 1994).
    std::uint32_t multiplier = 0x80000001U;
    int shift = 0;

    // Of at least 0, by at most 2^31 - 1.
    __device__ std::int32_t divide(std::int32_t dividend) const {
        const std::uint64_t product =
            std::uint64_t{static_cast<std::uint32_t>(dividend) << 1} * multiplier;
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(product >> 32) >> shift);
    }
    __device__ std::int64_t divide(std::int64_t dividend) const { return dividend / value; }
};

// value: at least 1, or 0 where nothing is divided.
inline Divisor divisor_of(std::int64_t value) {
    Divisor by;
    by.value = value;
    if (value < 1 || value > INT32_MAX) return by;
    while ((std::int64_t{1} << by.shift) < value) ++by.shift;
    by.multiplier = static_cast<std::uint32_t>((std::int64_t{1} << (31 + by.shift)) / value + 1);
    return by;
}

}  // namespace strata::kernels
