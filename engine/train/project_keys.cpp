#include "engine/train/project_keys.h"

#include <cmath>

#include "engine/core/error.h"

namespace strata::train {

void refuse(const std::string& what, const std::string& where, const std::string& hint) {
    throw Error(ErrorCode::invalid_argument, what, where, hint);
}

std::int64_t get_integer_between(const Json& object, const char* key, std::int64_t fallback,
                                 std::int64_t minimum, const std::string& where,
                                 std::int64_t maximum) {
    const std::int64_t value = get_integer(object, key, fallback, where);
    if (value >= minimum && value <= maximum) return value;
    refuse("must be at " +
               (value < minimum ? "least " + std::to_string(minimum)
                                : "most " + std::to_string(maximum)) +
               ", it is " + std::to_string(value),
           where + "." + key);
}

double get_number_between(const Json& object, const char* key, double fallback, double minimum,
                          double maximum, const std::string& where, bool open_minimum) {
    const double value = get_number(object, key, fallback, where);
    if (std::isfinite(value) && value <= maximum &&
        (open_minimum ? value > minimum : value >= minimum))
        return value;
    const std::string bound = Json(minimum).dump();
    std::string wanted = open_minimum ? "must be above " + bound : "must be at least " + bound;
    if (std::isfinite(maximum)) wanted += " and at most " + Json(maximum).dump();
    refuse(wanted + ", it is " + Json(value).dump(), where + "." + key);
}

}  // namespace strata::train
