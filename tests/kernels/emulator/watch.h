// What the threads of a kernel do to memory, access by access: the device code is compiled with a
// call before each (watch_calls.cpp). Internal to the emulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuda_emulator.h"

namespace cuda_emulator {

// Device memory lies in one range of addresses, so that an access finds what is known of its bytes.
void* arena_base();
std::size_t arena_size();
bool in_arena(const void* pointer);

// Device memory may be touched while one of these lives, and at no other time: a host that reads
// through a device's pointer ends by a signal, as it would beside a GPU. The mutex is held.
struct OpenArena {
    OpenArena();
    ~OpenArena();
    OpenArena(const OpenArena&) = delete;
    OpenArena& operator=(const OpenArena&) = delete;
};

// What lies there is given back to the system: pages that nobody uses make each opening slower.
void drop_pages(void* memory, std::size_t bytes);

// What the bytes of device memory are; also told by copies and the libraries.
enum class Byte : unsigned char { none, unwritten, written };
void mark(const void* pointer, std::size_t bytes, Byte state);
void copy_marks(void* to, const void* from, std::size_t bytes);  // both in device memory
// Throws Fault where a byte is not there, or was never written; of a library.
void require_written(const void* pointer, std::size_t bytes, const char* what);

// An access of the device code, before it happens. Other memory than the device's and the block's
// is a thread's own, or the launch's arguments.
void look(const void* pointer, std::size_t bytes, bool write);

void begin_grid(const Launch& launch);
void end_grid();  // also after a fault
std::size_t blocks_at_once();

struct DynamicMemory;

// A block's shared memory. One block's is watched at a time: static memory is one for all.
class BlockMemory {
public:
    BlockMemory();
    ~BlockMemory();
    BlockMemory(const BlockMemory&) = delete;
    BlockMemory& operator=(const BlockMemory&) = delete;

    // It is watched from now on, and unwritten.
    void begin(void* dynamic, std::size_t bytes);
    // Another block's is watched between leave() and enter().
    void leave();
    void enter();
    void pass_barrier() { ++epoch_; }

    DynamicMemory& dynamic() { return *dynamic_; }
    std::uint64_t epoch() const { return epoch_; }  // barriers that the block has passed
    std::uint64_t serial() const { return serial_; }

private:
    struct Statics;
    std::unique_ptr<DynamicMemory> dynamic_;
    std::unique_ptr<Statics> statics_;  // what was in static memory at leave()
    std::uint64_t epoch_ = 0, serial_ = 0;
};

// Of the thread that runs now, counted through the grid.
void set_watched_thread(std::uint64_t thread_of_grid);

// On a thread of a kernel: ends the grid with a fault that names the thread. In block.cpp.
[[noreturn]] void fail_here(std::string what);

}  // namespace cuda_emulator
