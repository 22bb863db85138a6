// The names of a device's figures in events, in the log and in lists: one place for each.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/device/monitor.h"

namespace strata::train {

template <typename T>
using Figure = std::pair<const char*, std::optional<T> device::Reading::*>;

inline constexpr std::array<Figure<std::size_t>, 3> byte_figures{
    {{"used_bytes", &device::Reading::used_bytes},
     {"free_bytes", &device::Reading::free_bytes},
     {"program_bytes", &device::Reading::program_bytes}}};
inline constexpr std::array<Figure<double>, 4> figures{
    {{"utilisation", &device::Reading::utilisation},  // 0 to 1
     {"temperature", &device::Reading::temperature},  // degrees Celsius
     {"power", &device::Reading::power},              // watts
     {"power_limit", &device::Reading::power_limit}}};

inline constexpr std::array<const char*, 3> load_scopes{"device", "threads", "process"};

}  // namespace strata::train
