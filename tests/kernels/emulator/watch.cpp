// Bounds, unwritten memory, races and traffic. The compiler's instrumentation for its thread
// sanitizer calls __tsan_read4() and the like before each access of the device code; those
// functions are defined here, and the sanitizer's own library is not linked.
#include "watch.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "state.h"
#include "watched_memory.h"

namespace cuda_emulator {
namespace {

constexpr std::size_t arena_bytes = std::size_t{1} << 34;
constexpr std::size_t sector = 32;  // bytes: what a GPU's caches move

struct Touch {
    std::uint64_t read = 0, write = 0;  // the traffic when it was last touched
};

}  // namespace

struct BlockMemory::Statics {
    std::vector<StaticMemory::Page> pages;
};

namespace {

struct Watcher {
    Region arena;
    Touch* touches = nullptr;
    StaticMemory statics;
    BlockMemory* block = nullptr;  // that runs now
    std::uint64_t launch = 0, block_runs = 0, thread = 0, block_threads = 1;
    std::uint64_t traffic = 0, launch_begin = 0;
    LaunchTraffic counted;

    Watcher() {
        arena = {reinterpret_cast<std::uintptr_t>(reserve<char>(arena_bytes)), arena_bytes,
                 reserve<Byte>(arena_bytes), reserve<WordRecord>(arena_bytes / word), false};
        touches = reserve<Touch>(arena_bytes / sector);
    }
};

Watcher* made_watcher = nullptr;  // of a thread that is watched: no test whether it is there

Watcher& watcher() {
    static auto* const instance = made_watcher = new Watcher;  // as long as the process
    return *instance;
}

// In a library that is loaded at run time, too, without a call for each access.
#define AT_HAND __attribute__((tls_model("initial-exec")))
thread_local bool watching AT_HAND = false;
thread_local int atomic_depth AT_HAND = 0;
#undef AT_HAND
Counting counting;
std::vector<LaunchTraffic> launches;
bool keeps_launches = false;
int open_arenas = 0;

bool is_at_once(const Watcher& w, const Access& other, std::uint64_t serial, bool shared) {
    if (other.serial != serial) return false;
    if (other.blocks != 0) return true;
    if (other.several == 0 && other.thread == w.thread) return false;
    const bool same_block = shared || other.thread / w.block_threads == w.thread / w.block_threads;
    return !same_block || other.epoch == (w.block->epoch() & 0xFF);
}

void check_race(Watcher& w, const Region& region, std::size_t at, unsigned mask, bool write) {
    constexpr std::uint64_t serials = (std::uint64_t{1} << 26) - 1;
    const std::uint64_t serial = (region.shared ? w.block->serial() : w.launch) & serials;
    WordRecord& record = region.records[at / word];
    // Most words were touched last by an earlier launch or block.
    if (record.write.serial != serial && record.read.serial != serial) {
        (write ? record.write : record.read) = {
            serial, w.thread & 0xFFFFFF, w.block->epoch() & 0xFF, mask & 0xF, 0, 0};
        return;
    }
    const auto conflicts = [&](const Access& other) {
        return (other.mask & mask) != 0 && is_at_once(w, other, serial, region.shared);
    };
    if (conflicts(record.write) || (write && conflicts(record.read))) {
        fail_here(std::string(write ? "a thread writes" : "a thread reads") +
                  (region.shared ? " shared" : " device") +
                  " memory that another thread of the grid " +
                  (conflicts(record.write) ? "wrote" : "read") + ", with no barrier between them");
    }
    Access own{serial, w.thread & 0xFFFFFF, w.block->epoch() & 0xFF, mask & 0xF, 0, 0};
    if (write) {
        record.write = own;
        return;
    }
    const Access& before = record.read;
    // Neighbours that read other bytes of the word are forgotten: they read no number in common.
    if (before.serial == serial && (before.mask & mask) != 0 && before.thread != own.thread) {
        const bool same_block =
            region.shared || before.thread / w.block_threads == w.thread / w.block_threads;
        own.blocks = before.blocks != 0 || !same_block ? 1 : 0;
        own.several = before.epoch == own.epoch ? 1 : 0;
        own.mask &= before.mask;
    }
    record.read = own;
}

// Whether that many bytes, as most accesses have, have all been written.
template <typename T>
bool is_written(const Byte* states) {
    constexpr T all = static_cast<T>(0x0202020202020202);
    static_assert(static_cast<unsigned char>(Byte::written) == 2);
    T found;
    std::memcpy(&found, states, sizeof found);
    return found == all;
}

void check_state(const Region& region, std::size_t at, std::size_t bytes, bool write) {
    Byte* states = region.states + at;
    if (bytes == 4 ? is_written<std::uint32_t>(states)
                   : bytes == 8 && is_written<std::uint64_t>(states))
        return;
    for (std::size_t i = 0; i < bytes; ++i) {
        if (states[i] == Byte::none) {
            fail_here(std::string("a kernel ") + (write ? "writes" : "reads") + " outside " +
                      nearest_allocation(reinterpret_cast<void*>(region.base + at)));
        }
        if (write)
            states[i] = Byte::written;
        else if (states[i] == Byte::unwritten)
            fail_here(std::string("a kernel reads ") + (region.shared ? "shared" : "device") +
                      " memory that nothing has written");
    }
}

void count_traffic(Watcher& w, std::size_t at, std::size_t bytes, bool write) {
    for (std::size_t s = at / sector; s <= (at + bytes - 1) / sector; ++s) {
        Touch& touch = w.touches[s];
        const std::uint64_t last = write ? touch.write : std::max(touch.read, touch.write);
        (write ? touch.write : touch.read) = w.traffic + 1;
        if (last > w.launch_begin && w.traffic + 1 - last <= counting.cache) continue;
        w.traffic += sector;
        (write ? touch.write : touch.read) = w.traffic + 1;
        (write ? w.counted.written : w.counted.read) += sector;
    }
}

void look_at(Watcher& w, const Region& region, std::size_t at, std::size_t bytes, bool write) {
    check_state(region, at, bytes, write);
    if (!region.shared && keeps_launches) count_traffic(w, at, bytes, write);
    if (atomic_depth > 0) return;
    if (bytes == word && at % word == 0) return check_race(w, region, at, 0xF, write);
    for (std::size_t i = 0; i < bytes;) {
        const std::size_t in_word = (at + i) % word;
        const std::size_t length = std::min(word - in_word, bytes - i);
        const unsigned mask = ((1U << length) - 1U) << in_word;
        check_race(w, region, at + i, mask, write);
        i += length;
    }
}

}  // namespace

void look(const void* pointer, std::size_t bytes, bool write) {
    if (!watching) return;
    Watcher& w = *made_watcher;
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address - w.arena.base < w.arena.size) {
        look_at(w, w.arena, address - w.arena.base, bytes, write);
    } else if (StaticMemory::holds(address)) {
        if (write) w.statics.note_write(address - w.statics.region.base, bytes);
        look_at(w, w.statics.region, address - w.statics.region.base, bytes, write);
    } else if (const Region& dynamic = w.block->dynamic().region;
               address - dynamic.base < dynamic.size) {
        look_at(w, dynamic, address - dynamic.base, bytes, write);
    }
}

OpenArena::OpenArena() {
    if (open_arenas++ == 0) mprotect(arena_base(), arena_bytes, PROT_READ | PROT_WRITE);
}
OpenArena::~OpenArena() {
    if (--open_arenas == 0) mprotect(arena_base(), arena_bytes, PROT_NONE);
}

void drop_pages(void* memory, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    const std::size_t begin =
        (reinterpret_cast<std::uintptr_t>(memory) - watcher().arena.base + page - 1) / page * page;
    const std::size_t end =
        (reinterpret_cast<std::uintptr_t>(memory) - watcher().arena.base + bytes) / page * page;
    if (end <= begin) return;
    madvise(static_cast<char*>(arena_base()) + begin, end - begin, MADV_DONTNEED);
    madvise(watcher().arena.states + begin, end - begin, MADV_DONTNEED);  // 0: none
}

void* arena_base() {
    return reinterpret_cast<void*>(watcher().arena.base);
}
std::size_t arena_size() {
    return arena_bytes;
}
bool in_arena(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) - watcher().arena.base < arena_bytes;
}

void mark(const void* pointer, std::size_t bytes, Byte state) {
    if (!in_arena(pointer)) return;
    const std::size_t at = reinterpret_cast<std::uintptr_t>(pointer) - watcher().arena.base;
    std::memset(watcher().arena.states + at, static_cast<int>(state), bytes);
}

void copy_marks(void* to, const void* from, std::size_t bytes) {
    if (!in_arena(to)) return;
    if (!in_arena(from)) return mark(to, bytes, Byte::written);
    const Region& arena = watcher().arena;
    std::memmove(arena.states + (reinterpret_cast<std::uintptr_t>(to) - arena.base),
                 arena.states + (reinterpret_cast<std::uintptr_t>(from) - arena.base), bytes);
}

void require_written(const void* pointer, std::size_t bytes, const char* what) {
    if (!watches_kernels() || !in_arena(pointer)) return;
    const Region& arena = watcher().arena;
    const Byte* states = arena.states + (reinterpret_cast<std::uintptr_t>(pointer) - arena.base);
    for (std::size_t i = 0; i < bytes; ++i) {
        if (states[i] == Byte::written) continue;
        throw Fault(std::string(what) + (states[i] == Byte::none
                                             ? " reaches outside " + nearest_allocation(pointer)
                                             : " reads device memory that nothing has written"));
    }
}

void begin_grid(const Launch& launch) {
    Watcher& w = watcher();
    ++w.launch;
    if (!counting.across_launches) w.launch_begin = ++w.traffic;  // nothing is in the cache
    w.counted = {launch.grid, launch.block, 0, 0};
    w.block_threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    atomic_depth = 0;
    watching = watches_kernels();
}

BlockMemory::BlockMemory()
    : dynamic_(std::make_unique<DynamicMemory>()), statics_(std::make_unique<Statics>()) {}
BlockMemory::~BlockMemory() = default;

void BlockMemory::begin(void* dynamic, std::size_t bytes) {
    Watcher& w = watcher();
    w.block = this;
    w.statics.clear();
    epoch_ = 0;
    serial_ = ++w.block_runs;
    dynamic_->place(dynamic, bytes);
}

void BlockMemory::leave() {
    watcher().statics.keep(statics_->pages);
}

void BlockMemory::enter() {
    Watcher& w = watcher();
    w.block = this;
    w.statics.clear();
    w.statics.bring_back(statics_->pages);
}

void end_grid() {
    watching = false;
    if (keeps_launches) launches.push_back(watcher().counted);
}

void set_watched_thread(std::uint64_t thread_of_grid) {
    watcher().thread = thread_of_grid;
}

AtomicAccess::AtomicAccess() {
    ++atomic_depth;
}
AtomicAccess::~AtomicAccess() {
    --atomic_depth;
}

bool watches_kernels() {
#ifdef STRATA_EMULATOR_WATCHES
    return true;
#else
    return false;
#endif
}

std::size_t blocks_at_once() {
    return counting.blocks_at_once;
}

void keep_launches(const Counting& wanted) {
    const std::lock_guard lock(mutex());
    counting = wanted;
    keeps_launches = counting.cache > 0;
    launches.clear();
    watcher().launch_begin = ++watcher().traffic;
}

std::vector<LaunchTraffic> take_launches() {
    const std::lock_guard lock(mutex());
    return std::exchange(launches, {});
}

}  // namespace cuda_emulator
