// How much memory a call took at its peak, for tests of what foreign files may ask for.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace strata::testing {

// The peak of the process since the last reset, in KiB.
inline std::int64_t peak_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stoll(line.substr(6));
    return -1;
}

// KiB by which the peak rose above what was there; negative where the system does not tell.
template <typename Call>
std::int64_t growth_kib(Call&& call) {
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak becomes what is there now
    const std::int64_t before = peak_kib();
    call();
    return before < 0 ? -1 : peak_kib() - before;
}

}  // namespace strata::testing
