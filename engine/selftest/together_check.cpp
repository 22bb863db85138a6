// What several devices do together: copies from each to each, and sums over all of them.
#include <cmath>
#include <cstring>
#include <exception>
#include <thread>

#include "engine/core/error.h"
#include "engine/device/device_group.h"
#include "engine/graph/runtime.h"
#include "engine/selftest/checks.h"
#include "engine/selftest/stopwatch.h"

namespace strata::selftest {
namespace {

constexpr std::size_t count = std::size_t{1} << 16;  // floats
constexpr std::size_t bytes = count * sizeof(float);

using Devices = std::vector<std::unique_ptr<device::Device>>;

// A number that tells its place and its device.
float value(std::size_t device, std::size_t i) {
    return static_cast<float>((i * 7 + device * 3) % 1024);
}

class Buffers {
public:
    explicit Buffers(const Devices& devices) : devices_(devices) {
        for (const auto& device : devices)
            memory_.push_back(static_cast<float*>(device->allocate(bytes)));
    }
    ~Buffers() {
        for (std::size_t d = 0; d < memory_.size(); ++d) devices_[d]->release(memory_[d]);
    }
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;

    float* of(std::size_t device) const { return memory_[device]; }
    void set(std::size_t device) const {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = value(device, i);
        devices_[device]->copy_in(memory_[device], values.data(), bytes);
        devices_[device]->synchronize();
    }
    std::vector<float> get(std::size_t device) const {
        std::vector<float> values(count);
        devices_[device]->copy_out(values.data(), memory_[device], bytes);
        return values;
    }

private:
    const Devices& devices_;
    std::vector<float*> memory_;
};

// The other's queue waits for the copy by an event, and its own copy out comes behind.
void copies_arrive(Line& line, const Devices& devices, std::size_t from, std::size_t to) {
    const Buffers buffers(devices);
    buffers.set(from);
    device::Device& source = *devices[from];
    device::Device& target = *devices[to];
    target.fill_zero(buffers.of(to), bytes);
    target.synchronize();
    const double seconds = seconds_of(
        source, [&] { source.copy_to(target, buffers.of(to), buffers.of(from), bytes); });
    const auto event = source.make_event();
    source.record(event.get());
    target.wait_for(event.get());
    const std::vector<float> arrived = buffers.get(to);
    line.measured = rate_text(static_cast<double>(bytes) / seconds, "B");
    line.figures = {{"bytes_per_s", static_cast<double>(bytes) / seconds}};
    for (std::size_t i = 0; i < count; ++i)
        if (arrived[i] != value(from, i)) return fail(line, "other numbers arrived than were sent");
}

// Each device's calls by a thread of its own, as in a training; the first fault ends the others.
void on_each(device::DeviceGroup& group, std::size_t devices,
             const std::function<void(int)>& work) {
    std::vector<std::exception_ptr> faults(devices);
    std::vector<std::thread> threads;
    const auto work_on = [&](std::size_t d) {
        try {
            work(static_cast<int>(d));
        } catch (...) {
            faults[d] = std::current_exception();
            group.fail();
        }
    };
    for (std::size_t d = 0; d < devices; ++d) try {
            threads.emplace_back(work_on, d);
        } catch (...) {  // the system gives no more of them
            faults[d] = std::current_exception();
            group.fail();
            break;
        }
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& fault : faults)
        if (fault) std::rethrow_exception(fault);
}

void sums_agree(Line& line, const Devices& devices) {
    ops::Backend& backend = graph::runtime().backend(*devices.front());
    if (!backend.has_groups()) {
        line.outcome = Outcome::told;
        line.measured = "their threads add up in shared memory";
        return;
    }
    std::vector<device::Device*> members;
    device::GroupPlace place;
    for (const auto& device : devices) {
        place.ranks.push_back(static_cast<int>(members.size()));
        members.push_back(device.get());
    }
    place.id = backend.make_group_id();
    place.size = static_cast<int>(members.size());
    const auto group = backend.join_group(members, place);
    const Buffers buffers(devices);
    for (std::size_t d = 0; d < devices.size(); ++d) buffers.set(d);
    on_each(*group, devices.size(), [&](int d) {
        const auto i = static_cast<std::size_t>(d);
        group->all_reduce(d, buffers.of(i), count);
        group->join(d);
        devices[i]->synchronize();
        group->check(d);
    });
    line.measured =
        std::to_string(count) + " numbers on " + std::to_string(devices.size()) + " devices";
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const std::vector<float> got = buffers.get(d);
        for (std::size_t i = 0; i < count; ++i) {
            float sum = 0.0F;  // whole numbers: exact in any order
            for (std::size_t each = 0; each < devices.size(); ++each) sum += value(each, i);
            if (got[i] != sum)
                return fail(line, "the sum on " + devices[d]->info().id + " is wrong");
        }
    }
}

std::string kind_of(const std::string& id) {
    return id.substr(0, id.find(':'));
}

}  // namespace

void check_together(const Teller& teller, const std::vector<std::string>& names) {
    Devices devices;
    for (const std::string& name : names) {
        if (kind_of(name) != kind_of(names.front())) {
            teller.line("copies and sums", "", [&](Line& line) {
                line.outcome = Outcome::told;
                line.measured = "devices of different kinds exchange through the host";
            });
            return;
        }
        devices.push_back(graph::runtime().open(name, {}));
    }
    for (std::size_t from = 0; from < names.size(); ++from)
        for (std::size_t to = 0; to < names.size(); ++to)
            if (from != to)
                teller.line("copy from " + names[from] + " to " + names[to], "",
                            [&](Line& line) { copies_arrive(line, devices, from, to); });
    teller.line("sum over all devices", "", [&](Line& line) { sums_agree(line, devices); });
}

}  // namespace strata::selftest
