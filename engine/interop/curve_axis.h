// An axis with round ticks (1, 2 or 5 times a power of ten) and their labels. For pictures.
#pragma once

#include <string>
#include <vector>

namespace strata::interop {

struct Axis {
    double low = 0.0, high = 1.0;  // what the ends of the axis stand for; low < high
    std::vector<double> ticks;     // ascending, within the ends
    int decimals = 0;              // that the ticks need

    double share(double value) const { return (value - low) / (high - low); }
    std::string label(double tick) const;  // "0.25", "12,000"
};

// Ends on the data's ends. whole: ticks on whole numbers only. Without data (low > high): 0 to 1.
Axis tight_axis(double low, double high, int most_ticks, bool whole);

// Ends on ticks around the data.
Axis round_axis(double low, double high, int most_ticks);

}  // namespace strata::interop
