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

}  // namespace strata
