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
    int numbers = 1;     // that name such a device: a CPU can be divided into many
};

struct DeviceOptions {
    int threads = 0;  // CPU: threads of the device's own; 0 = all cores that the process may use
    std::size_t memory_limit = 0;  // bytes; 0 = the device's own memory
    // GPU: products of float32 may round their operands to TF32's 11 significant bits.
    bool allow_tf32 = false;
};

// A point in a device's queue. The thread that drives the device records it; others may ask for it
// when they know that it has been recorded.
class Event {
public:
    virtual ~Event() = default;
    // On the host, until what was queued before the last record is done. Throws Error where that
    // work has failed.
    virtual void wait() = 0;
    // The same, without waiting.
    virtual bool is_done() = 0;
    // Between two records of one device, both done.
    virtual double seconds_since(const Event& earlier) const = 0;
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

    // ---- queues that run beside the host. By default a device whose calls are done when they
    // return: it makes no events, and null ones mean nothing.
    virtual std::unique_ptr<Event> make_event() { return nullptr; }
    // Behind what is queued so far.
    virtual void record(Event* /*event*/) {}
    // What is queued from now on begins after the last record of an event of this kind of device.
    virtual void wait_for(const Event* /*event*/) {}
    // In the order of this device's queue, into the memory of another device of its kind, whose
    // queue has to wait for an event behind it.
    virtual void copy_to(const Device& /*other*/, void* to, const void* from, std::size_t bytes) {
        copy_out(to, from, bytes);
    }
    // Host memory, 64-byte aligned, that the device's copies reach without a detour.
    virtual void* allocate_host(std::size_t bytes);
    virtual void release_host(void* memory) noexcept;
    // As copy_in and copy_out with `host` of allocate_host(), which has to stay, or whose bytes are
    // there, only when an event behind them is done.
    virtual void queue_copy_in(void* device_memory, const void* host, std::size_t bytes) {
        copy_in(device_memory, host, bytes);
    }
    virtual void queue_copy_out(void* host, const void* device_memory, std::size_t bytes) {
        copy_out(host, device_memory, bytes);
    }
};

}  // namespace strata::device
