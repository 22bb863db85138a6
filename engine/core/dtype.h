// Element types of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

enum class DType : std::uint8_t { float32, float16, bfloat16, float64, int32, int64, uint8 };

std::size_t size_of(DType type);               // bytes an element
const char* name_of(DType type);               // Keras's name: "float32"
DType dtype_from_name(std::string_view name);  // throws Error{invalid_argument}

// float16 and bfloat16: conversions are in half.h.
constexpr bool is_16_bit_float(DType type) {
    return type == DType::float16 || type == DType::bfloat16;
}
// The types that layers compute in: those and float32.
constexpr bool is_compute_type(DType type) {
    return type == DType::float32 || is_16_bit_float(type);
}

}  // namespace strata
