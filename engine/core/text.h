// Numbers as people read them, the same in every locale.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

std::string grouped(std::int64_t number);        // "60,000"
std::string fixed(double number, int decimals);  // "0.8812"; "nan", "inf"

}  // namespace strata
