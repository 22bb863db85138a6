// Reads what the devices of a run tell of themselves, on a thread of its own and never in a step.
// Used by the reporter, which takes the readings between two steps.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/train/events.h"

namespace strata::train {

class DeviceWatch {
public:
    using Monitors = std::vector<std::pair<std::string, std::unique_ptr<device::Monitor>>>;
    static constexpr std::chrono::milliseconds usual_interval{500};
    static constexpr std::size_t most_kept = 4096;  // readings that nobody takes; later ones wait

    // Of this process; a name that comes twice is read once. Devices of which nothing is known are
    // left out.
    explicit DeviceWatch(const std::vector<std::string>& devices);
    DeviceWatch(Monitors monitors, std::chrono::milliseconds interval);
    ~DeviceWatch();
    DeviceWatch(const DeviceWatch&) = delete;
    DeviceWatch& operator=(const DeviceWatch&) = delete;

    bool has_news() const { return fresh_.load(std::memory_order_relaxed); }
    // The readings since the last call, in order, without the update.
    std::vector<MonitorEvent> take();

private:
    void live();
    MonitorEvent read() const;

    std::vector<std::string> names_;  // to be opened by the thread
    Monitors monitors_;
    std::chrono::milliseconds interval_ = usual_interval;
    std::atomic<bool> fresh_{false};
    std::mutex mutex_;
    std::condition_variable ended_;
    std::vector<MonitorEvent> kept_;  // under the mutex
    bool ending_ = false;             // likewise
    std::thread thread_;              // last: the others are there when it begins
};

}  // namespace strata::train
