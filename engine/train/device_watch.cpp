#include "engine/train/device_watch.h"

#include <algorithm>

#include "engine/graph/runtime.h"

namespace strata::train {

DeviceWatch::DeviceWatch(const std::vector<std::string>& devices) {
    for (const std::string& name : devices)
        if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    thread_ = std::thread([this] { live(); });
}

DeviceWatch::DeviceWatch(Monitors monitors, std::chrono::milliseconds interval)
    : monitors_(std::move(monitors)), interval_(interval), thread_([this] { live(); }) {}

DeviceWatch::~DeviceWatch() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    ended_.notify_all();
    thread_.join();
}

std::vector<MonitorEvent> DeviceWatch::take() {
    const std::lock_guard lock(mutex_);
    fresh_ = false;
    return std::exchange(kept_, {});
}

MonitorEvent DeviceWatch::read() const {
    MonitorEvent event;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    event.wall_time = std::chrono::duration<double>(now).count();
    for (const auto& [name, monitor] : monitors_) event.devices.push_back({name, monitor->read()});
    return event;
}

// Making a monitor may load a driver's library: here it delays no step.
void DeviceWatch::live() try {
    for (const std::string& name : names_)
        if (auto monitor = graph::runtime().monitor(name))
            monitors_.emplace_back(name, std::move(monitor));
    if (monitors_.empty()) return;
    std::unique_lock lock(mutex_);
    while (!ending_) {
        lock.unlock();
        MonitorEvent event = read();
        lock.lock();
        if (kept_.size() < most_kept) kept_.push_back(std::move(event));
        fresh_ = true;
        ended_.wait_for(lock, interval_, [this] { return ending_; });
    }
} catch (...) {  // no memory for a reading: training goes on without them
}

}  // namespace strata::train
