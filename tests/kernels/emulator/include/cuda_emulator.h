// What the emulator offers beyond CUDA: settings for tests, and what the stand-in headers are made
// of. Only tests and the stand-in headers include it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"

namespace cuda_emulator {

// --- Settings for tests -------------------------------------------------------------------------

// What a machine offers. Allocations that exist stay; existing streams are not touched.
struct Machine {
    bool has_driver = true;
    int devices = 1;
    std::size_t memory = std::size_t{4} << 30;  // bytes of each device
    int driver_version = 13000;                 // the runtime needs 13000
    int capability = 80;                        // ten times the compute capability
    bool only_wide_products = false;            // cuBLASLt's are for addresses that 16 divides
    bool reaches_peers = true;                  // a device writes another's memory directly
    // Of the streams that could go on, the one whose work was queued last does: what lacks a wait
    // for another stream then reads what is not there yet.
    bool latest_stream_first = false;
    // How long a stream may wait for a call of another thread before it is a fault.
    std::chrono::milliseconds patience{20000};
};
void set_machine(const Machine& machine);

// The order in which a grid's blocks, and a block's threads between two barriers, run. A kernel
// that is right gives the same bits in both: one that lacks a barrier mostly does not.
enum class Order : std::uint8_t { forward, reverse };
void set_order(Order order);

// Message of the last kernel that failed ("threads 0 to 15 of block (0,0,0) wait at ..."); "" if
// none has since the last call. The launch itself gives cudaErrorLaunchFailure at the next wait.
std::string take_fault();

// Allocations of device memory that were not freed.
std::size_t live_allocations();

// How often cuBLASLt was asked for an algorithm, so far.
std::size_t algorithm_queries();

// Whether the device code's accesses are watched, in builds without a sanitizer: each read of
// memory that nothing has written, each access outside an allocation and each race between threads
// then fails the kernel. A race is an access to what another thread of the grid wrote, or a write
// of what it read, with no barrier between the two; atomic functions make none. Warps are not taken
// to run in step.
bool watches_kernels();

// One launch: its shape, and the bytes that it moved to and from device memory.
struct LaunchTraffic {
    dim3 grid, block;
    std::uint64_t read = 0, written = 0;
};
// How traffic is counted: a sector of 32 bytes counts again when more than `cache` bytes have moved
// since its last access.
struct Counting {
    std::size_t cache = 0;
    std::size_t blocks_at_once = 1;  // each runs until its threads wait; they share the cache
    bool across_launches = false;    // what one launch leaves in the cache the next one finds
};
// From now on launches are kept with their traffic; no more where the cache has no bytes.
void keep_launches(const Counting& counting);
std::vector<LaunchTraffic> take_launches();

// --- Used by the stand-in headers ----------------------------------------------------------------

struct Launch {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
};

// Puts a kernel on its stream's queue; checks the configuration at once.
cudaError_t enqueue_launch(const Launch& launch, std::function<void()> thread);
// Puts other work on a stream's queue.
cudaError_t enqueue(cudaStream_t stream, std::function<cudaError_t()> work);

// The running block's memory.
void* dynamic_shared_memory();

// __syncthreads(): returns when every thread of the block has come to the same call.
void barrier(const std::source_location& where);

enum class WarpOp : std::uint8_t { shuffle, ballot, sync };
// Gives `value` away and returns that of `source_lane`, when all lanes of the mask have come to the
// same call (ballot: the lanes with a value, as bits).
std::uint64_t warp_exchange(WarpOp op, unsigned mask, std::uint64_t value, int source_lane,
                            const std::source_location& where);
int lane();
std::size_t thread_in_block();

// Around the accesses of an atomic function.
struct AtomicAccess {
    AtomicAccess();
    ~AtomicAccess();
};

}  // namespace cuda_emulator
