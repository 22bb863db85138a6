// What the stand-in runtime's files share: errors, device memory, the queue. Internal to the
// emulator.
#pragma once

#include <condition_variable>
#include <mutex>

#include "grid.h"

namespace cuda_emulator {

// Guards all of the emulator: the product drives devices from several threads, blocks run one at a
// time. Recursive, for queued work that calls the runtime.
class Mutex {
public:
    void lock();
    void unlock();
    // Lets other threads in until one of them has submitted work. False where none did for long.
    bool wait();
    void notify() { submitted_.notify_all(); }

private:
    std::recursive_mutex mutex_;
    std::condition_variable_any submitted_;
    int depth_ = 0;
};
Mutex& mutex();

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

// In words: "an allocation of 100 bytes" that the address is near to, or "every allocation".
std::string nearest_allocation(const void* pointer);

// Fault where a byte beside an allocation was overwritten.
void check_guards();
void set_fault(const std::string& what);

// Puts work on a stream's queue that has to wait, and its stream with it, until `ready` says so.
cudaError_t enqueue_when(cudaStream_t stream, std::function<bool()> ready,
                         std::function<cudaError_t()> work);
bool is_stream(cudaStream_t stream);
int device_of(cudaStream_t stream);  // the current one for the default stream

// Runs what is queued until a stream, or all of the current device's, have no more; the first
// failure since the last call.
cudaError_t drain(cudaStream_t stream);
cudaError_t drain();
// The same of a device, and failures stay to be told. False where its streams wait for ever.
bool finish_work(int device);

}  // namespace cuda_emulator
