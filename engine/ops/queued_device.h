// A device that works on queues of its own beside the host, as GPUs do: what it offers more than
// others. Found by dynamic_cast; implemented by backends, called by the executors of graph and
// parallel.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/device/device.h"
#include "engine/ops/backend.h"

namespace strata::ops {

// Work that was queued once, to be queued again by one call, with the same addresses.
class Recording {
public:
    virtual ~Recording() = default;
    virtual void replay() = 0;
};

// A batch's way to the device beside the device's work: pinned memory on the host, and a buffer on
// the device that holds the next batch while the one before is computed with.
class Feed {
public:
    struct Part {
        const void* host = nullptr;
        std::size_t bytes = 0;
    };

    virtual ~Feed() = default;
    // The parts lie one behind the other, aligned. Returns when the host's memory may be reused;
    // waits for the device only where it is two batches behind.
    virtual void fill(std::span<const Part> parts) = 0;
    virtual bool holds() const = 0;  // what nobody has taken
    // In the order of the device's queue: each part of the last fill() to its place.
    virtual void take(std::span<void* const> places) = 0;
    // The buffer on the device is elsewhere now; what it held comes there.
    virtual void move_to(void* memory) = 0;
};

class QueuedDevice : public device::Device {
public:
    // The numbers that what is queued from now on reads; kernels that run() one by one do it
    // themselves.
    virtual void put(const StepScalars& scalars) = 0;
    // Whether work may be recorded: not where the user wants each op to be launched by itself.
    virtual bool records() const = 0;
    // work: queues on this device and nothing else; nothing of it is done. Null where it holds a
    // call that cannot be recorded: reason says which, and it is to be queued as ever.
    virtual std::unique_ptr<Recording> record_work(const std::function<void()>& work,
                                                   std::string& reason) = 0;
    // memory: of so many bytes, on the device. Null where the host has no pinned memory for it.
    virtual std::unique_ptr<Feed> make_feed(void* memory, std::size_t bytes) = 0;
};

}  // namespace strata::ops
