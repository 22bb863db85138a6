// Numbers as people read them, the same in every locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

std::string grouped(std::int64_t number);  // "60,000"
// A number with its noun: "1 unit", "60,000 units"; plural: where it is not the noun with an s.
std::string counted(std::int64_t n, std::string_view noun, std::string_view plural = {});
std::string fixed(double number, int decimals);  // "0.8812"; "nan", "inf"

// The first control character of a text, as "U+000A", or "" where it has none: for names that are
// shown and become names of files.
std::string control_character(std::string_view text);

}  // namespace strata
