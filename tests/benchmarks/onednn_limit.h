// The rate that oneDNN alone reaches on a step's matrix products and convolutions.
#pragma once

#include <cstdint>
#include <string>

namespace strata::benchmarks {

// Seconds of one training step if it were its matrix products and convolutions alone, each run by
// oneDNN in the memory layout that oneDNN prefers, with operands warm in the caches.
double onednn_step_seconds(const std::string& model, std::int64_t batch, int threads);

}  // namespace strata::benchmarks
