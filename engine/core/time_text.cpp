#include "engine/core/time_text.h"

#include "engine/core/text.h"

namespace strata {

TimeInUnit time_in_unit(double seconds) {
    using Unit = TimeInUnit::Unit;
    if (seconds == 0.0) return {Unit::s, 0.0, 0};
    const Unit unit = seconds < 1e-3 ? Unit::us : seconds < 1.0 ? Unit::ms : Unit::s;
    const double value = seconds * (unit == Unit::us ? 1e6 : unit == Unit::ms ? 1e3 : 1.0);
    return {unit, value, value >= 100.0 ? 0 : value >= 10.0 ? 1 : 2};
}

std::string time_text(double seconds) {
    using Unit = TimeInUnit::Unit;
    const TimeInUnit time = time_in_unit(seconds);
    return fixed(time.value, time.digits) + (time.unit == Unit::us   ? " µs"
                                             : time.unit == Unit::ms ? " ms"
                                                                     : " s");
}

}  // namespace strata
