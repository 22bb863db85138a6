// Durations as people read them, the same in every locale.
#pragma once

#include <string>

namespace strata {

// Three digits and a unit: "4.63 µs", "12.3 ms", "1.20 s".
std::string time_text(double seconds);

}  // namespace strata
