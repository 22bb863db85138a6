#include "engine/core/random.h"

#include <cmath>
#include <numbers>

namespace strata::random {

std::array<float, 2> normal(std::uint32_t a, std::uint32_t b) {
    const double u = (static_cast<double>(a) + 0.5) * 0x1p-32;
    const double angle = 2.0 * std::numbers::pi * (static_cast<double>(b) + 0.5) * 0x1p-32;
    const double radius = std::sqrt(-2.0 * std::log(u));
    return {static_cast<float>(radius * std::cos(angle)),
            static_cast<float>(radius * std::sin(angle))};
}

}  // namespace strata::random
