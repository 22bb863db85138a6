// The CPU backend: ops on oneDNN and vector loops, threads by OpenMP.
#pragma once

#include <memory>

#include "engine/ops/backend.h"

namespace strata::cpu {

inline constexpr int most_devices = 64;

// Devices cpu:0 .. cpu:63 can be opened: each has its own threads and memory limit. One is
// discovered. A device is driven by one thread at a time; two devices run at once on two driving
// threads.
std::shared_ptr<ops::Backend> make_cpu_backend();

}  // namespace strata::cpu
