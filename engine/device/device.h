// A place where tensors live and ops run: "cpu:0", "cuda:0". Opened through ops::Dispatch; one
// thread at a time drives a device.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace strata::device {

// What discovery says of a device, present or not.
struct DeviceInfo {
    std::string id;           // "cpu:0"; a kind that is absent altogether has "cuda"
    std::string description;  // "AMD EPYC, 2 threads, AVX-512"
    std::size_t memory = 0;   // bytes in all; 0 where unknown
    bool available = true;
    std::string reason;  // in words, where it is not: "no NVIDIA driver"
};

struct DeviceOptions {
    int threads = 0;  // CPU: threads of the device's own; 0 = all cores that the process may use
    std::size_t memory_limit = 0;  // bytes; 0 = the device's own memory
};

class Device {
public:
    virtual ~Device() = default;

    virtual const DeviceInfo& info() const = 0;
    virtual const DeviceOptions& options() const = 0;

    // 64-byte aligned device memory. Throws Error{out_of_memory} that says how much was wanted and
    // how much is there.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;

    // Copies between host and device in the order of the device's queue. copy_out returns when the
    // bytes are in `host`; copy_in may return before, and then `host` must stay until
    // synchronize().
    virtual void copy_in(void* device_memory, const void* host, std::size_t bytes) = 0;
    virtual void copy_out(void* host, const void* device_memory, std::size_t bytes) = 0;
    virtual void fill_zero(void* device_memory, std::size_t bytes) = 0;
    virtual void synchronize() = 0;
};

}  // namespace strata::device
