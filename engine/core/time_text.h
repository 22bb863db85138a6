// Durations as people read them, the same in every locale.
#pragma once

#include <string>

namespace strata {

struct TimeInUnit {
    enum class Unit { us, ms, s } unit;
    double value;
    int digits;  // after the point
};

// Three digits and the largest unit of which there is at least one; nothing is "0 s".
TimeInUnit time_in_unit(double seconds);

// "4.63 µs", "12.3 ms", "1.20 s".
std::string time_text(double seconds);

}  // namespace strata
