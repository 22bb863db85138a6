// What the stand-in runtime counts of the host's calls, and failures that tests order. Only tests
// include it.
#pragma once

#include <cstdint>

#include "cuda_runtime_api.h"

namespace cuda_emulator {

// Calls of the host since the program began, over all devices.
struct Counts {
    std::uint64_t launches = 0;        // of kernels, one by one
    std::uint64_t graph_launches = 0;  // of graphs
    std::uint64_t kernels = 0;         // that have run, those of graphs too
    std::uint64_t copies = 0;          // queued, also as parts of graphs' launches
    std::uint64_t waits = 0;           // for work that was not done: also in copies and frees
    std::uint64_t allocations = 0;     // of memory; streams, events and graphs that were made
};
Counts counts();

// A kernel fails: of those that come, the one with this number, from 0. at_launch: its launch gives
// the error, and nothing is queued; else it shows where somebody waits. Negative: none.
void fail_kernel(int number, cudaError_t error, bool at_launch);

}  // namespace cuda_emulator
