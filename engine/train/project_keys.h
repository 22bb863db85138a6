// Checked getters for the keys of a project. Used by the readers of its sections.
#pragma once

#include <cstdint>
#include <string>

#include "engine/core/json.h"

namespace strata::train {

inline constexpr std::int64_t largest_integer = std::int64_t{1} << 40;

// Throws Error{invalid_argument}.
[[noreturn]] void refuse(const std::string& what, const std::string& where,
                         const std::string& hint = {});
// object[key], or `fallback` where it is absent; throws Error outside [minimum, maximum].
std::int64_t get_integer_between(const Json& object, const char* key, std::int64_t fallback,
                                 std::int64_t minimum, const std::string& where,
                                 std::int64_t maximum = largest_integer);
// The same for numbers; finite ones alone. open_minimum: `minimum` itself is refused, too.
double get_number_between(const Json& object, const char* key, double fallback, double minimum,
                          double maximum, const std::string& where, bool open_minimum = false);

}  // namespace strata::train
