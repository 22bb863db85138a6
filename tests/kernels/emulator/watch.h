// What the threads of a kernel do to memory, access by access: the device code is compiled with a
// call before each (watch_calls.cpp). Internal to the emulator.
#pragma once

#include <cstddef>
#include <cstdint>

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

// Of the block that runs now: its shared memory is unwritten again.
void begin_grid(const Launch& launch);
void begin_block(void* dynamic_shared, std::size_t bytes);
void pass_barrier();
void end_grid();  // also after a fault

// No lane of the block has come to a matrix product. In tensor_core.cpp.
void begin_products();

// Of the thread that runs now, counted through the grid.
void set_watched_thread(std::uint64_t thread_of_grid);

// On a thread of a kernel: ends the grid with a fault that names the thread. In block.cpp.
[[noreturn]] void fail_here(const std::string& what);

}  // namespace cuda_emulator
