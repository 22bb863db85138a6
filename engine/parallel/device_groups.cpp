#include "engine/parallel/device_groups.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include "engine/core/error.h"

namespace strata::parallel {
namespace {

using Clock = std::chrono::steady_clock;

// A step takes microseconds to milliseconds: a thread that sleeps at once wakes late.
constexpr std::chrono::microseconds busy_for{100}, nap{50};

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

}  // namespace

DeviceGroups::DeviceGroups(const PlacedModel& model, Communicator* world,
                           std::optional<std::chrono::milliseconds> deadline)
    : model_(model), deadline_(deadline), copies_(at(model.devices())) {
    if (world != nullptr) {
        process_ = world->rank();
        processes_ = world->size();
        if (!deadline_) deadline_ = world->deadline();
    }
    for (int r = 0; r < model.replicas(); ++r)
        for (int d = 0; d < model.devices(); ++d) {
            device::Device& device = model.part(r, d).device();
            queues_.push_back({device.make_event(), device.make_event()});
        }
    for (int d = 0; d < model.devices(); ++d) {
        ops::Backend& backend = model.part(0, d).backend();
        if (!backend.has_groups() || model.replicas() * processes_ == 1) continue;
        std::vector<device::Device*> devices;
        std::vector<int> ranks;
        for (int r = 0; r < model.replicas(); ++r) {
            devices.push_back(&model.part(r, d).device());
            ranks.push_back(r * processes_ + process_);
        }
        copies_[at(d)] =
            join(backend, devices, std::move(ranks), model.replicas() * processes_, world);
    }
}

std::unique_ptr<device::DeviceGroup> DeviceGroups::join(ops::Backend& backend,
                                                        const std::vector<device::Device*>& devices,
                                                        std::vector<int> ranks, int size,
                                                        Communicator* world) const {
    device::GroupPlace place;
    place.ranks = std::move(ranks);
    place.size = size;
    if (world == nullptr) {
        place.id = backend.make_group_id();
    } else {
        std::uint64_t bytes = 0;
        if (process_ == 0) {
            place.id = backend.make_group_id();
            bytes = place.id.size();
        }
        world->broadcast(std::as_writable_bytes(std::span(&bytes, 1)), 0);
        place.id.resize(bytes);
        world->broadcast(place.id, 0);
    }
    return backend.join_group(devices, place);
}

device::PartBegins DeviceGroups::parts(const Bucket& bucket) const {
    device::PartBegins begins;
    for (int r = 0; r < model_.replicas(); ++r)
        for (int p = 0; p < processes_; ++p)
            begins.push_back(share_of_bucket(bucket, r, model_.replicas(), p, processes_).begin);
    begins.push_back(bucket.end);
    return begins;
}

bool DeviceGroups::reaches_others() const {
    return processes_ > 1 &&
           std::any_of(copies_.begin(), copies_.end(), [](const auto& group) { return !!group; });
}

device::DeviceGroup* DeviceGroups::of_replica(int replica, const std::vector<int>& devices) {
    for (const ReplicaGroup& known : within_)
        if (known.replica == replica && known.devices == devices) return known.group.get();
    ReplicaGroup made{replica, devices, nullptr};
    std::vector<device::Device*> members;
    for (int d : devices) members.push_back(&model_.part(replica, d).device());
    ops::Backend& backend = model_.part(replica, devices.front()).backend();
    if (backend.has_groups()) {
        std::vector<int> ranks(devices.size());
        std::iota(ranks.begin(), ranks.end(), 0);
        made.group =
            join(backend, members, std::move(ranks), static_cast<int>(members.size()), nullptr);
    }
    within_.push_back(std::move(made));
    return within_.back().group.get();
}

void DeviceGroups::begin_exchange(int replica, int device) {
    Queue& own = queue(replica, device);
    model_.part(replica, device).device().record(own.computed.get());
    own.exchanges = true;
}

void DeviceGroups::settle(int replica, int device) {
    device::Event* event = queue(replica, device).settled.get();
    model_.part(replica, device).device().record(event);
    wait(replica, device, event);
}

void DeviceGroups::wait(int replica, int device, device::Event* event) {
    device::DeviceGroup* group = copies(device);
    if (event == nullptr) return;
    if (group == nullptr) return event->wait();
    Queue& own = queue(replica, device);
    if (own.exchanges) is_done_within(*own.computed, *group, replica, std::nullopt);
    const auto time = own.exchanges ? deadline_ : std::nullopt;
    if (is_done_within(*event, *group, replica, time)) {
        own.exchanges = false;
        return;
    }
    fail();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*time).count();
    throw Error(
        ErrorCode::interrupted,
        "the other GPUs did not come to the exchange within " + std::to_string(seconds) + " s",
        model_.part(replica, device).device().info().id,
        "--resume goes on from the last checkpoint");
}

bool DeviceGroups::is_done_within(device::Event& event, device::DeviceGroup& group, int replica,
                                  std::optional<std::chrono::milliseconds> time) const {
    const auto begin = Clock::now();
    while (!event.is_done()) {
        group.check(replica);
        const auto waited = Clock::now() - begin;
        if (time && waited > *time) return false;
        if (waited < busy_for)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(nap);
    }
    return true;
}

void DeviceGroups::fail() noexcept {
    std::vector<device::DeviceGroup*> groups;
    for (const auto& group : copies_)
        if (group) groups.push_back(group.get());
    for (const ReplicaGroup& within : within_)
        if (within.group) groups.push_back(within.group.get());
    if (!groups.empty()) groups.front()->fail_together(groups);
}

}  // namespace strata::parallel
