// Runs the threads of a grid's blocks. Called by the queue in stream.cpp, one grid at a time.
#pragma once

#include <functional>
#include <stdexcept>

#include "cuda_emulator.h"

namespace cuda_emulator {

// A kernel did what CUDA leaves undefined or never ends; what() says which threads did what.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Calls `thread` once for each thread of the grid: block after block, or several blocks at once, of
// which each runs until its threads wait and then lets the next one on. Before each block its
// dynamic shared memory is filled with bytes that read as NaN, and so is the static where accesses
// are watched. Throws Fault.
void run_grid(const Launch& launch, Order order, const std::function<void()>& thread);

}  // namespace cuda_emulator
