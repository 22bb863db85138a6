// A CPU device: a number of threads and a share of memory.
#pragma once

#include <mutex>
#include <unordered_map>

#include "engine/device/device.h"

namespace strata::cpu {

class CpuDevice final : public device::Device {
public:
    CpuDevice(device::DeviceInfo info, const device::DeviceOptions& options);
    ~CpuDevice() override;

    const device::DeviceInfo& info() const override { return info_; }
    const device::DeviceOptions& options() const override { return options_; }
    int threads() const { return options_.threads; }  // >= 1
    std::size_t allocated() const;                    // bytes now

    void* allocate(std::size_t bytes) override;
    void release(void* memory) noexcept override;
    void copy_in(void* device_memory, const void* host, std::size_t bytes) override;
    void copy_out(void* host, const void* device_memory, std::size_t bytes) override;
    void fill_zero(void* device_memory, std::size_t bytes) override;
    void synchronize() override {}

private:
    device::DeviceInfo info_;
    device::DeviceOptions options_;
    mutable std::mutex mutex_;
    std::unordered_map<void*, std::size_t> blocks_;
    std::size_t allocated_ = 0;
};

}  // namespace strata::cpu
