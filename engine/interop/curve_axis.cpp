#include "engine/interop/curve_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/core/text.h"

namespace strata::interop {
namespace {

constexpr double slack = 1e-9;  // of a step, against rounding of the ends

double round_step(double span, int most_ticks) {
    const double rough = span / std::max(1, most_ticks);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - slack)) return factor * power;
    return 10.0 * power;
}

// No data, or data of one value: an axis around it.
void open_up(double& low, double& high) {
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    const double least = std::max(std::abs(low), std::abs(high)) * 1e-6 + 1e-9;
    if (high - low >= least) return;
    const double half = low == 0 ? 0.5 : std::abs(low) * 0.1;
    low -= half;
    high += half;
}

void fill_ticks(Axis& axis, double step) {
    const auto first = static_cast<std::int64_t>(std::ceil(axis.low / step - slack));
    const auto last = static_cast<std::int64_t>(std::floor(axis.high / step + slack));
    for (std::int64_t i = first; i <= last; ++i)
        axis.ticks.push_back(static_cast<double>(i) * step);
    axis.decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - slack)), 0, 12);
}

}  // namespace

std::string Axis::label(double tick) const {
    if (decimals == 0 && std::abs(tick) < 1e15) return grouped(std::llround(tick));
    return fixed(tick, decimals);
}

Axis tight_axis(double low, double high, int most_ticks, bool whole) {
    open_up(low, high);
    Axis axis{low, high, {}, 0};
    double step = round_step(high - low, most_ticks);
    if (whole) step = std::max(step, 1.0);
    fill_ticks(axis, step);
    return axis;
}

Axis round_axis(double low, double high, int most_ticks) {
    open_up(low, high);
    const double step = round_step(high - low, most_ticks);
    Axis axis{std::floor(low / step + slack) * step, std::ceil(high / step - slack) * step, {}, 0};
    fill_ticks(axis, step);
    return axis;
}

}  // namespace strata::interop
