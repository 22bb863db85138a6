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

// Processes that have agreed to join come at once, or the world knows that they have gone; what
// many GPUs then tell each other takes longer.
constexpr std::chrono::milliseconds shortest_joining{60000};
// Bytes that a device takes without a wait on the host: of its two buffers for copies.
constexpr std::size_t queued_copy = std::size_t{8} << 20;
// At the end all have done their work; who does not come has gone.
constexpr std::chrono::milliseconds last_wait{2000};
// Until the world knows, too, who has gone, and between two looks.
constexpr std::chrono::milliseconds until_named{2000}, between_looks{20};

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

}  // namespace

DeviceGroups::DeviceGroups(const PlacedModel& model, Communicator* world,
                           std::optional<std::chrono::milliseconds> deadline)
    : model_(model), world_(world), deadline_(deadline), copies_(at(model.devices())) {
    if (world != nullptr) {
        process_ = world->rank();
        processes_ = world->size();
        if (!deadline_) deadline_ = world->deadline();
    }
    for (int r = 0; r < model.replicas(); ++r)
        for (int d = 0; d < model.devices(); ++d) {
            device::Device& device = model.part(r, d).device();
            queues_.push_back({device.make_event(), device.make_event(), device.make_event()});
        }
    for (int d = 0; d < model.devices(); ++d)
        if (has_copies(d) && processes_ == 1)
            copies_[at(d)] = join_copies(d, model.part(0, d).backend().make_group_id());
}

bool DeviceGroups::has_copies(int device) const {
    return model_.part(0, device).backend().has_groups() && model_.replicas() * processes_ > 1;
}

std::vector<std::byte> DeviceGroups::make_ids() const {
    std::vector<std::byte> ids;
    for (int d = 0; reaches_others() && d < model_.devices(); ++d) {
        if (!has_copies(d)) continue;
        ops::Backend& backend = model_.part(0, d).backend();
        backend.check_groups();
        if (process_ > 0) continue;
        const std::vector<std::byte> id = backend.make_group_id();
        ids.insert(ids.end(), id.begin(), id.end());
    }
    return ids;
}

void DeviceGroups::join_others(std::span<const std::byte> ids) {
    if (!reaches_others()) return;
    std::size_t count = 0, next = 0;
    for (int d = 0; d < model_.devices(); ++d) count += has_copies(d) ? 1 : 0;
    const std::size_t size = ids.size() / count;
    for (int d = 0; d < model_.devices(); ++d) {
        if (!has_copies(d)) continue;
        const auto id = ids.subspan(size * next++, size);
        copies_[at(d)] = join_copies(d, {id.begin(), id.end()});
    }
}

std::unique_ptr<device::DeviceGroup> DeviceGroups::join_copies(int device,
                                                               std::vector<std::byte> id) const {
    device::GroupPlace place;
    place.id = std::move(id);
    place.size = model_.replicas() * processes_;
    if (processes_ > 1 && deadline_) {
        place.deadline = std::max(*deadline_, shortest_joining);
        place.check_others = [this] { world_->check(); };
    }
    std::vector<device::Device*> devices;
    for (int r = 0; r < model_.replicas(); ++r) {
        devices.push_back(&model_.part(r, device).device());
        place.ranks.push_back(r * processes_ + process_);
    }
    return model_.part(0, device).backend().join_group(devices, place);
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
    bool any = false;
    for (int d = 0; d < model_.devices(); ++d) any = any || has_copies(d);
    return processes_ > 1 && any;
}

device::DeviceGroup* DeviceGroups::of_replica(int replica, const std::vector<int>& devices) {
    for (const ReplicaGroup& known : within_)
        if (known.replica == replica && known.devices == devices) return known.group.get();
    ReplicaGroup made{replica, devices, nullptr};
    std::vector<device::Device*> members;
    for (int d : devices) members.push_back(&model_.part(replica, d).device());
    ops::Backend& backend = model_.part(replica, devices.front()).backend();
    if (backend.has_groups()) {
        device::GroupPlace place{backend.make_group_id(), std::vector<int>(devices.size()),
                                 static_cast<int>(devices.size())};
        std::iota(place.ranks.begin(), place.ranks.end(), 0);
        made.group = backend.join_group(members, place);
    }
    within_.push_back(std::move(made));
    return within_.back().group.get();
}

void DeviceGroups::call(int device, const std::function<void(device::DeviceGroup&)>& calls) {
    try {
        calls(*copies(device));
    } catch (const Error&) {
        throw_named();
        throw;
    }
}

void DeviceGroups::join_exchange(int replica, int device) {
    Queue& own = queue(replica, device);
    device::Device& queued_on = model_.part(replica, device).device();
    queued_on.record(own.computed.get());
    own.exchanges = true;
    copies(device)->join(replica);
    queued_on.record(own.exchanged.get());
}

void DeviceGroups::settle(int replica, int device) {
    device::Event* event = queue(replica, device).settled.get();
    model_.part(replica, device).device().record(event);
    wait(replica, device, event);
}

void DeviceGroups::settle_before_copy(int replica, int device, std::size_t bytes) {
    if (bytes > queued_copy && queue(replica, device).exchanges) settle(replica, device);
}

void DeviceGroups::settle_all() {
    for (int r = 0; r < model_.replicas(); ++r)
        for (int d = 0; d < model_.devices(); ++d)
            if (queue(r, d).exchanges) settle(r, d);
}

void DeviceGroups::wait(int replica, int device, device::Event* event) {
    device::DeviceGroup* group = copies(device);
    if (event == nullptr) return;
    if (group == nullptr) return event->wait();
    Queue& own = queue(replica, device);
    if (own.exchanges) is_done_within(*own.computed, *group, replica, std::nullopt);
    const auto time = own.exchanges ? deadline_ : std::nullopt;
    if (is_done_within(*event, *group, replica, time)) {
        own.exchanges = own.exchanges && !own.exchanged->is_done();  // it may come after the event
        return;
    }
    fail();
    throw device::others_did_not_come(model_.part(replica, device).device().info().id, *time);
}

bool DeviceGroups::is_done_within(device::Event& event, device::DeviceGroup& group, int replica,
                                  std::optional<std::chrono::milliseconds> time) const {
    const auto begin = Clock::now();
    while (!event.is_done()) {
        check(group, replica);
        const auto waited = Clock::now() - begin;
        if (time && waited > *time) return false;
        if (waited < busy_for)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(nap);
    }
    return true;
}

void DeviceGroups::check(device::DeviceGroup& group, int replica) const {
    if (world_ != nullptr) world_->check();
    try {
        group.check(replica);
    } catch (const Error&) {
        throw_named();
        throw;
    }
}

void DeviceGroups::throw_named() const {
    if (processes_ == 1) return;
    for (auto waited = 0 * between_looks; waited < until_named && !failed_;
         waited += between_looks) {
        world_->check();
        std::this_thread::sleep_for(between_looks);
    }
}

void DeviceGroups::end() noexcept {
    try {
        for (int r = 0; r < model_.replicas(); ++r)
            for (int d = 0; d < model_.devices(); ++d) {
                Queue& own = queue(r, d);
                device::DeviceGroup* group = copies(d);
                if (!own.exchanges || group == nullptr) continue;
                model_.part(r, d).device().record(own.settled.get());
                if (!is_done_within(*own.settled, *group, r, last_wait)) return fail();
                own.exchanges = false;
            }
    } catch (const std::exception&) {  // the exchange has failed, or the device
        fail();
    }
}

void DeviceGroups::fail() noexcept {
    failed_ = true;
    std::vector<device::DeviceGroup*> groups;
    for (const auto& group : copies_)
        if (group) groups.push_back(group.get());
    for (const ReplicaGroup& within : within_)
        if (within.group) groups.push_back(within.group.get());
    if (!groups.empty()) groups.front()->fail_together(groups);
}

}  // namespace strata::parallel
