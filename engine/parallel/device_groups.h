// The groups in which devices of a placed model exchange what no thread can reach in memory: GPUs.
// Used by the gradient exchange and the update.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/device/device_group.h"
#include "engine/parallel/communicator.h"
#include "engine/parallel/placed_model.h"

namespace strata::parallel {

class DeviceGroups {
public:
    // world: of the processes; may be null. deadline: within which the devices of other processes
    // have to come to an exchange; by default the world's. Throws Error: a library is missing, or
    // the devices cannot work together.
    DeviceGroups(const PlacedModel& model, Communicator* world,
                 std::optional<std::chrono::milliseconds> deadline = std::nullopt);
    ~DeviceGroups() { end(); }
    DeviceGroups(const DeviceGroups&) = delete;
    DeviceGroups& operator=(const DeviceGroups&) = delete;

    // Where devices exchange with other processes', before the first batch: first make_ids() on all
    // processes, which throws where one of them could not join; what rank 0's gives goes to all;
    // then join_others() on all of them. Between the two all must know that no other one threw, or
    // they would wait for it.
    std::vector<std::byte> make_ids() const;
    void join_others(std::span<const std::byte> ids);
    // Whatever is still queued, before the devices' memory goes: waits a little for the exchange,
    // then ends it for those whom others have left.
    void end() noexcept;

    // The copies of a device over replicas and processes; a replica's number in this process is its
    // device's there. Null where there is one copy, or threads add up in shared memory.
    device::DeviceGroup* copies(int device) const {
        return copies_[static_cast<std::size_t>(device)].get();
    }
    // Of those copies, the shares of a bucket.
    device::PartBegins parts(const Bucket& bucket) const;
    // Whether any device of this process exchanges with other processes' by a group.
    bool reaches_others() const;

    // Devices of a replica that keep the same variables; null for other devices than those with
    // groups. devices: ascending. A device's number in the group is its place in the list.
    device::DeviceGroup* of_replica(int replica, const std::vector<int>& devices);

    // Calls of the device's copies, on the thread that drives it. Throws as they do; where a
    // process has gone, with its name.
    void call(int device, const std::function<void(device::DeviceGroup&)>& calls);
    // What is queued on the device from now on waits for its copies' calls, which wait for what was
    // queued before them.
    void join_exchange(int replica, int device);
    // Until what is queued on the device is done, while it looks after the exchange: its own work
    // may take as long as it likes. Throws Error{interrupted} where the exchange has failed, a
    // process has gone, or a copy does not come within the deadline. Devices without queues are
    // done.
    void settle(int replica, int device);
    // The same of all devices that still exchange, on the caller's thread while the others rest:
    // before something waits for the devices without a deadline.
    void settle_all();
    // The same before a copy of so many bytes to the device where it has to wait for an exchange:
    // one that is not too large is queued, and waits on the device.
    void settle_before_copy(int replica, int device, std::size_t bytes);
    // The same for what is queued before the event; null: nothing.
    void wait(int replica, int device, device::Event* event);

    void fail() noexcept;

private:
    bool has_copies(int device) const;
    // The copies of a device in this process and others.
    std::unique_ptr<device::DeviceGroup> join_copies(int device, std::vector<std::byte> id) const;
    struct ReplicaGroup {
        int replica = 0;
        std::vector<int> devices;
        std::unique_ptr<device::DeviceGroup> group;
    };

    // Of a device of a replica, driven by its thread.
    struct Queue {
        std::unique_ptr<device::Event> settled, computed, exchanged;
        bool exchanges = false;  // between `computed` and `exchanged`
    };
    // Throws where a process has gone, or else where the group's exchange has failed.
    void check(device::DeviceGroup& group, int replica) const;
    // NCCL may be the first to notice that a process has gone, and gives no name: throws the
    // world's error where that has one within a moment.
    void throw_named() const;
    // False where the time is up.
    bool is_done_within(device::Event& event, device::DeviceGroup& group, int replica,
                        std::optional<std::chrono::milliseconds> time) const;
    Queue& queue(int replica, int device) {
        const int place = replica * model_.devices() + device;
        return queues_[static_cast<std::size_t>(place)];
    }

    const PlacedModel& model_;
    Communicator* world_;
    int process_ = 0, processes_ = 1;
    std::optional<std::chrono::milliseconds> deadline_;
    std::vector<std::unique_ptr<device::DeviceGroup>> copies_;
    std::vector<ReplicaGroup> within_;
    std::vector<Queue> queues_;         // of each device of each replica
    std::atomic<bool> failed_ = false;  // by fail()
};

}  // namespace strata::parallel
