#include "engine/core/time_text.h"

#include "engine/core/text.h"

namespace strata {

std::string time_text(double seconds) {
    const bool micro = seconds < 1e-3, milli = !micro && seconds < 1.0;
    const double value = seconds * (micro ? 1e6 : milli ? 1e3 : 1.0);
    return fixed(value, value >= 100.0  ? 0
                        : value >= 10.0 ? 1
                                        : 2) +
           (micro   ? " µs"
            : milli ? " ms"
                    : " s");
}

}  // namespace strata
