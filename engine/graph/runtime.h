// The devices of this process: composes the CPU backend and, where its plug-in loads, CUDA.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/ops/dispatch.h"

namespace strata::graph {

// All backends of this process. The CUDA plug-in (libstrata_cuda.so beside the program, in
// ../lib/strata-studio, or named by STRATA_CUDA_PLUGIN) is loaded on first use; where it is absent,
// devices() holds the entry "cuda" with the reason. Thread-safe; lives as long as the process.
const ops::Dispatch& runtime();

}  // namespace strata::graph
