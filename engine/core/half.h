// The 16-bit floats, and exact conversions of one value: rounding to nearest even, overflow to
// infinity, NaN stays NaN (quiet, with its upper bits). Loops over them vectorise: no branches.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "engine/core/dtype.h"

namespace strata {

struct BFloat16 {
    std::uint16_t bits = 0;  // the upper half of a float32
    friend bool operator==(BFloat16, BFloat16) = default;
};

struct Float16 {
    std::uint16_t bits = 0;  // IEEE 754: 1 sign, 5 exponent and 10 fraction bits
    friend bool operator==(Float16, Float16) = default;
};

template <typename T>
constexpr DType dtype_of_float() {
    if constexpr (std::is_same_v<T, BFloat16>) return DType::bfloat16;
    if constexpr (std::is_same_v<T, Float16>) return DType::float16;
    return DType::float32;
}

[[gnu::always_inline]] constexpr float to_float(float x) {
    return x;
}

[[gnu::always_inline]] constexpr float to_float(BFloat16 x) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}

[[gnu::always_inline]] constexpr float to_float(Float16 x) {
    const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000U) << 16;
    const std::uint32_t magnitude = x.bits & 0x7FFFU;
    constexpr std::uint32_t rebias = 112U << 23;  // what a float32's exponents are larger by
    const std::uint32_t normal = (magnitude << 13) + rebias;
    // Subnormal numbers are steps of 2^-24, as those of a float32 from 0.5 on.
    const float steps = std::bit_cast<float>(magnitude + std::bit_cast<std::uint32_t>(0.5F)) - 0.5F;
    const std::uint32_t quiet = magnitude > 0x7C00U ? 0x00400000U : 0U;
    std::uint32_t bits = magnitude < 0x400U ? std::bit_cast<std::uint32_t>(steps) : normal;
    bits = magnitude >= 0x7C00U ? (normal + rebias) | quiet : bits;
    return std::bit_cast<float>(sign | bits);
}

[[gnu::always_inline]] constexpr BFloat16 to_bfloat16(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    const std::uint32_t nan = (bits >> 16) | 0x0040U;
    return {static_cast<std::uint16_t>((bits & 0x7FFFFFFFU) > 0x7F800000U ? nan : rounded)};
}

[[gnu::always_inline]] constexpr Float16 to_float16(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    const std::uint32_t normal =
        (magnitude - 0x38000000U + 0xFFFU + ((magnitude >> 13) & 1U)) >> 13;
    // Below 2^-14 the addition rounds to steps of 2^-24.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
    const std::uint32_t subnormal =
        std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5F);
    const std::uint32_t nan = 0x7E00U | ((magnitude >> 13) & 0x3FFU);
    std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
    result = magnitude >= 0x477FF000U ? 0x7C00U : result;  // 65520: halfway to what would be 2^16
    result = magnitude > 0x7F800000U ? nan : result;
    return {static_cast<std::uint16_t>(sign | result)};
}

// The nearest T.
template <typename T>
[[gnu::always_inline]] constexpr T from_float(float x) {
    if constexpr (std::is_same_v<T, BFloat16>)
        return to_bfloat16(x);
    else if constexpr (std::is_same_v<T, Float16>)
        return to_float16(x);
    else
        return x;
}

// The nearest number of `type`, a compute type.
float rounded_to(DType type, float x);

}  // namespace strata
