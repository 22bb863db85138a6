#include "engine/selftest/stopwatch.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

namespace strata::selftest {
namespace {

constexpr double round_seconds = 0.02;
constexpr int rounds = 3, most_in_a_round = 200;

double time_of(device::Device& device, const std::function<void()>& work, int count) {
    const auto before = device.make_event(), after = device.make_event();
    const auto begin = std::chrono::steady_clock::now();
    device.record(before.get());
    for (int i = 0; i < count; ++i) work();
    device.record(after.get());
    device.synchronize();
    if (before && after) return after->seconds_since(*before);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

double seconds_of(device::Device& device, const std::function<void()>& work) {
    const double once = std::max(time_of(device, work, 1), 1e-9);  // warms up, too
    const int count = std::clamp(static_cast<int>(round_seconds / once), 1, most_in_a_round);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < rounds; ++i) best = std::min(best, time_of(device, work, count) / count);
    return std::max(best, 1e-12);
}

Sized grow(double least, double most, double enough, double factor,
           const std::function<double(double)>& make) {
    Sized sized{least, make(least)};
    while (sized.seconds < enough && sized.size * factor <= most) {
        sized.size *= factor;
        sized.seconds = make(sized.size);
    }
    return sized;
}

std::string rate_text(double per_second, const char* unit) {
    constexpr std::array<const char*, 5> powers{"", "k", "M", "G", "T"};
    std::size_t power = 0;
    for (; per_second >= 1000.0 && power + 1 < powers.size(); ++power) per_second /= 1000.0;
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %s%s/s", per_second, powers[power], unit);
    return text;
}

std::string percent_text(double share) {
    return std::to_string(std::lround(100.0 * share)) + " %";
}

}  // namespace strata::selftest
