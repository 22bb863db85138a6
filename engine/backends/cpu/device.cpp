#include "engine/backends/cpu/device.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "engine/core/error.h"
#include "engine/device/amount.h"
#include "engine/device/arena.h"

namespace strata::cpu {

using device::amount_text;

namespace {

// From this size on, blocks start on a huge page and ask the kernel for such pages.
constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

CpuDevice::CpuDevice(device::DeviceInfo info, const device::DeviceOptions& options)
    : info_(std::move(info)), options_(options) {}

CpuDevice::~CpuDevice() {
    for (const auto& block : blocks_) std::free(block.first);
}

std::size_t CpuDevice::allocated() const {
    const std::lock_guard lock(mutex_);
    return allocated_;
}

void* CpuDevice::allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const std::size_t limit = options_.memory_limit > 0 ? options_.memory_limit : info_.memory;
    const std::size_t left = limit > allocated_ ? limit - allocated_ : 0;
    const auto refuse = [&](const std::string& there) {
        throw Error(
            ErrorCode::out_of_memory, amount_text(bytes) + " wanted, " + there, info_.id,
            "Use a smaller batch or model, or raise the device's limit (placement.memory_limit)");
    };
    if (limit > 0 && bytes > left)
        refuse(amount_text(left) + " of " + amount_text(limit) + " are free");
    const std::size_t step = bytes >= huge_page ? huge_page : device::alignment;
    if (bytes > SIZE_MAX - step) refuse("which no machine has");
    const std::size_t size = bytes == 0 ? step : (bytes + step - 1) / step * step;
    void* memory = std::aligned_alloc(step, size);
    if (memory == nullptr) refuse("which the system refused");
    if (step == huge_page) madvise(memory, size, MADV_HUGEPAGE);
    blocks_.emplace(memory, bytes);
    allocated_ += bytes;
    return memory;
}

void CpuDevice::release(void* memory) noexcept {
    if (memory == nullptr) return;
    const std::lock_guard lock(mutex_);
    const auto block = blocks_.find(memory);
    if (block == blocks_.end()) return;
    allocated_ -= block->second;
    blocks_.erase(block);
    std::free(memory);
}

void CpuDevice::copy_in(void* device_memory, const void* host, std::size_t bytes) {
    if (bytes > 0) std::memcpy(device_memory, host, bytes);
}

void CpuDevice::copy_out(void* host, const void* device_memory, std::size_t bytes) {
    if (bytes > 0) std::memcpy(host, device_memory, bytes);
}

void CpuDevice::fill_zero(void* device_memory, std::size_t bytes) {
    if (bytes > 0) std::memset(device_memory, 0, bytes);
}

}  // namespace strata::cpu
