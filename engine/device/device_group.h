// Sums and copies between devices that hold arrays of the same size: the replicas of a model, also
// those of other processes. Made by a backend for devices of its kind.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace strata::device {

// The parts of an array that belong to the ranks, one behind the other: part r is elements
// [begins[r], begins[r + 1]). size() + 1 of them.
using PartBegins = std::vector<std::size_t>;

// What the processes of a group agree on: one of them makes the id and tells the others.
struct GroupPlace {
    std::vector<std::byte> id;
    std::vector<int> ranks;  // of this process's devices
    int size = 1;            // devices of all processes
    // Within which the devices of other processes have to join; none: there are no other ones.
    std::optional<std::chrono::milliseconds> deadline = std::nullopt;
    // Called now and then while they are waited for; throws where one of them has gone. May be
    // empty.
    std::function<void()> check_others = nullptr;
};

// Error{interrupted}: the devices of others did not come to this one within the time.
Error others_did_not_come(const std::string& device, std::chrono::milliseconds time);

// A rank is one of the devices; the thread that drives it makes its calls. In the calls `device` is
// a device's number in this process, in the order in which they joined. All ranks make the same
// calls in the same order, and none waits: a call takes place on the devices when what their queues
// held before it is done, beside what is queued after it, until join(). Throws Error{interrupted}
// that names the device where the exchange fails.
class DeviceGroup {
public:
    virtual ~DeviceGroup() = default;
    virtual int size() const = 0;  // of all processes

    // In place: each element's sum over the ranks.
    virtual void all_reduce(int device, float* data, std::size_t count) = 0;
    virtual void all_reduce(int device, double* data, std::size_t count) = 0;
    // In place: of this device's part the sum over the ranks; the rest is undefined.
    virtual void reduce_scatter(int device, float* data, const PartBegins& parts) = 0;
    // In place: every part as its rank had it.
    virtual void all_gather(int device, float* data, const PartBegins& parts) = 0;
    // What is queued on the rank's device from now on begins after its calls so far.
    virtual void join(int device) = 0;
    // Throws where the exchange has failed since.
    virtual void check(int device) = 0;
    // Ends the calls that the ranks wait in; the group can do no more. Of any thread.
    void fail() noexcept {
        DeviceGroup* const own = this;
        fail_together({&own, 1});
    }
    // The same of several groups of this kind at once: a device that waits in a call of one would
    // hold up the end of another.
    virtual void fail_together(std::span<DeviceGroup* const> groups) noexcept = 0;
};

}  // namespace strata::device
