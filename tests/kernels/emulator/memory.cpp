// Memory of the stand-in runtime. Device memory is host memory, in the watched range, with a guard
// on both sides, filled with bytes that read as NaN.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "capture.h"
#include "state.h"
#include "watch.h"

namespace cuda_emulator {
namespace {

constexpr std::size_t guard = 256;  // bytes on each side; also the alignment, which is cudaMalloc's
constexpr unsigned char guard_byte = 0xA5;
constexpr unsigned char unwritten = 0xFF;

struct Allocation {
    std::size_t bytes = 0;
    int device = -1;  // -1: pinned host memory
};

// By address, of the bytes that the caller sees.
std::map<std::uintptr_t, Allocation>& allocations() {
    static std::map<std::uintptr_t, Allocation> instance;
    return instance;
}

unsigned char* bytes_at(std::uintptr_t address) {
    return reinterpret_cast<unsigned char*>(address);
}

bool guards_are_whole(std::uintptr_t address, const Allocation& a) {
    const auto is_guard = [](unsigned char byte) { return byte == guard_byte; };
    const unsigned char* begin = bytes_at(address);
    return std::all_of(begin - guard, begin, is_guard) &&
           std::all_of(begin + a.bytes, begin + a.bytes + guard, is_guard);
}

std::size_t padded(std::size_t bytes) {
    return (bytes + guard - 1) / guard * guard + 2 * guard;
}

// The first gap of the arena that so many bytes fit in; null where there is none.
void* first_fit(std::size_t bytes) {
    auto gap = reinterpret_cast<std::uintptr_t>(arena_base());
    const std::uintptr_t end = gap + arena_size();
    for (const auto& [address, a] : allocations()) {
        if (a.device < 0) continue;
        if (address - guard - gap >= bytes) break;
        gap = address - guard + padded(a.bytes);
    }
    return end - gap >= bytes ? bytes_at(gap) : nullptr;
}

cudaError_t allocate(void** pointer, std::size_t bytes, int device) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    if (const cudaError_t error = forbid_unsafe(); error != cudaSuccess) return error;
    ++counters().allocations;
    const bool pinned = device < 0;
    const OpenArena open;
    void* memory = pinned ? std::aligned_alloc(guard, padded(bytes)) : first_fit(padded(bytes));
    if (memory == nullptr) return cudaErrorMemoryAllocation;
    auto* begin = static_cast<unsigned char*>(memory) + guard;
    std::memset(memory, guard_byte, guard);
    std::memset(begin + bytes, guard_byte, padded(bytes) - guard - bytes);
    if (!pinned) std::memset(begin, unwritten, bytes);
    mark(begin, bytes, Byte::unwritten);
    allocations()[reinterpret_cast<std::uintptr_t>(begin)] = {bytes, device};
    *pointer = begin;
    return cudaSuccess;
}

void forget(void* pointer, std::size_t bytes) {
    constexpr std::size_t large = std::size_t{1} << 20;
    mark(pointer, bytes, Byte::none);
    if (bytes >= large) drop_pages(pointer, bytes);
}

cudaError_t release(void* pointer, bool pinned) {
    if (pointer == nullptr) return cudaSuccess;
    if (const cudaError_t error = forbid_unsafe(); error != cudaSuccess) return error;
    ++counters().waits;
    const cudaError_t earlier = drain();  // cudaFree waits for the device
    const auto it = allocations().find(reinterpret_cast<std::uintptr_t>(pointer));
    if (it == allocations().end() || (it->second.device < 0) != pinned) {
        return cudaErrorInvalidValue;
    }
    if (pinned)
        std::free(bytes_at(it->first) - guard);
    else
        forget(pointer, it->second.bytes);
    allocations().erase(it);
    return earlier;
}

// Checks a copy's direction against where its ends lie, as unified addressing lets CUDA do.
cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const Place target = place_of(to, bytes);
    const Place source = place_of(from, bytes);
    if (target == Place::outside || source == Place::outside) return cudaErrorInvalidValue;
    const bool to_device = target == Place::device;
    const bool from_device = source == Place::device;
    switch (kind) {
        case cudaMemcpyDefault:
            return cudaSuccess;
        case cudaMemcpyHostToHost:
            return !to_device && !from_device ? cudaSuccess : cudaErrorInvalidValue;
        case cudaMemcpyHostToDevice:
            return to_device && !from_device ? cudaSuccess : cudaErrorInvalidValue;
        case cudaMemcpyDeviceToHost:
            return !to_device && from_device ? cudaSuccess : cudaErrorInvalidValue;
        case cudaMemcpyDeviceToDevice:
            return to_device && from_device ? cudaSuccess : cudaErrorInvalidValue;
    }
    return cudaErrorInvalidMemcpyDirection;
}

}  // namespace

std::size_t allocated_bytes(int device) {
    std::size_t sum = 0;
    for (const auto& [address, a] : allocations()) sum += a.device == device ? a.bytes : 0;
    return sum;
}

std::size_t live_allocations() {
    const std::lock_guard lock(mutex());
    return static_cast<std::size_t>(
        std::count_if(allocations().begin(), allocations().end(),
                      [](const auto& entry) { return entry.second.device >= 0; }));
}

Place place_of(const void* pointer, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto it = allocations().upper_bound(address);
    if (it == allocations().begin()) return Place::pageable;
    --it;
    const std::size_t offset = address - it->first;
    if (offset >= it->second.bytes + guard) return Place::pageable;
    if (offset + bytes > it->second.bytes) return Place::outside;
    return it->second.device < 0 ? Place::pinned : Place::device;
}

// The device that the memory lies on; -1: none.
static int owner_of(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto it = allocations().upper_bound(address);
    if (it == allocations().begin()) return -1;
    --it;
    return address - it->first < it->second.bytes ? it->second.device : -1;
}

std::string nearest_allocation(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto next = allocations().upper_bound(address);
    const auto named = [](const Allocation& a) {
        return "an allocation of " + std::to_string(a.bytes) + " bytes";
    };
    if (next != allocations().end() && next->first - address <= guard) return named(next->second);
    if (next == allocations().begin()) return "every allocation";
    --next;
    const bool near = address - next->first < padded(next->second.bytes);
    return near ? named(next->second) : "every allocation";
}

void check_guards() {
    for (const auto& [address, a] : allocations()) {
        if (guards_are_whole(address, a)) continue;
        std::memset(bytes_at(address) - guard, guard_byte, guard);
        std::memset(bytes_at(address) + a.bytes, guard_byte, guard);
        throw Fault("a kernel wrote outside an allocation of " + std::to_string(a.bytes) +
                    " bytes");
    }
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    const std::lock_guard lock(mutex());
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) return error;
    const std::size_t used = allocated_bytes(current_device());
    if (pointer != nullptr && (used > machine().memory || bytes > machine().memory - used)) {
        *pointer = nullptr;
        return report(cudaErrorMemoryAllocation);
    }
    return report(allocate(pointer, bytes, current_device()));
}

cudaError_t cudaFree(void* pointer) {
    const std::lock_guard lock(mutex());
    return report(release(pointer, false));
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
    const std::lock_guard lock(mutex());
    return report(allocate(pointer, bytes, -1));
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
    return cudaMallocHost(pointer, bytes);
}

cudaError_t cudaFreeHost(void* pointer) {
    const std::lock_guard lock(mutex());
    return report(release(pointer, true));
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    const std::lock_guard lock(mutex());
    const std::size_t used = allocated_bytes(current_device());
    *total = machine().memory;
    *free = used < *total ? *total - used : 0;
    return cudaSuccess;
}

// Between device and pinned memory the copy happens later. Pageable memory is free to be reused on
// return (to the device), or holds the bytes on return (from it): there CUDA copies at once.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (bytes == 0) return cudaSuccess;
    const cudaError_t error = check_copy(to, from, bytes, kind);
    if (error != cudaSuccess) return report(error);
    const bool at_once =
        place_of(to, bytes) == Place::pageable || place_of(from, bytes) == Place::pageable;
    if (at_once)
        if (const cudaError_t capturing = forbid_on(stream); capturing != cudaSuccess)
            return report(capturing);
    ++counters().copies;
    if (at_once) ++counters().waits;
    const cudaError_t queued = enqueue(stream, [=] {
        std::memmove(to, from, bytes);
        copy_marks(to, from, bytes);
        return cudaSuccess;
    });
    if (queued != cudaSuccess || !at_once) return queued;
    return report(stream == nullptr ? drain() : drain(stream));
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (bytes == 0) return cudaSuccess;
    if (owner_of(to) != to_device || owner_of(from) != from_device)
        return report(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    const std::lock_guard lock(mutex());
    if (std::max(device, peer) >= machine().devices || std::min(device, peer) < 0)
        return report(cudaErrorInvalidDevice);
    *can = machine().reaches_peers && device != peer ? 1 : 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    const std::lock_guard lock(mutex());
    int can = 0;
    const cudaError_t error = cudaDeviceCanAccessPeer(&can, current_device(), peer);
    if (error != cudaSuccess) return error;
    if (flags != 0 || can == 0) return report(cudaErrorInvalidValue);
    static std::set<std::pair<int, int>> enabled;
    return enabled.insert({current_device(), peer}).second
               ? cudaSuccess
               : report(cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const std::lock_guard lock(mutex());
    if (const cudaError_t implicit = forbid_implicit(); implicit != cudaSuccess)
        return report(implicit);
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    return error != cudaSuccess ? error : report(drain());
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (bytes == 0) return cudaSuccess;
    const Place place = place_of(pointer, bytes);
    if (place != Place::device && place != Place::pinned) return report(cudaErrorInvalidValue);
    return enqueue(stream, [=] {
        std::memset(pointer, value, bytes);
        mark(pointer, bytes, Byte::written);
        return cudaSuccess;
    });
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
    const std::lock_guard lock(mutex());
    if (const cudaError_t implicit = forbid_implicit(); implicit != cudaSuccess)
        return report(implicit);
    const cudaError_t error = cudaMemsetAsync(pointer, value, bytes, nullptr);
    return error != cudaSuccess ? error : report(drain());
}
