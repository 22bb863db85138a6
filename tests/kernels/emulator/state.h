// What the stand-in runtime's files share: errors, device memory, the queue. Internal to the
// emulator.
#pragma once

#include <mutex>

#include "block.h"

namespace cuda_emulator {

// Guards all of the emulator: the product drives devices from several threads, blocks run one at a
// time. Recursive, for queued work that calls the runtime.
std::recursive_mutex& mutex();

// Keeps the error for cudaGetLastError() and gives it back.
cudaError_t report(cudaError_t error);

const Machine& machine();
Order order();
int current_device();
std::size_t allocated_bytes(int device);

// Where a range of memory lies.
enum class Place : unsigned char {
    pageable,
    pinned,
    device,
    outside
};  // outside: past an allocation's end
Place place_of(const void* pointer, std::size_t bytes);

// Fault where a byte beside an allocation was overwritten.
void check_guards();
void set_fault(const std::string& what);

// Runs all that is queued; the first failure since the last call.
cudaError_t drain();

}  // namespace cuda_emulator
