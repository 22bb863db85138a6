#include "engine/train/meters.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

namespace strata::train {

std::size_t process_bytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t size = 0, resident = 0;
    file >> size >> resident;
    return file ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::size_t peak_process_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

void RateMeter::start() {
    last_ = Clock::now();
    running_ = true;
}

void RateMeter::add(std::int64_t samples) {
    constexpr double window = 0.1, memory = 1.0;  // seconds
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    seconds_ += seconds;
    window_seconds_ += seconds;
    samples_ += samples;
    window_samples_ += samples;
    if (window_seconds_ < window && rate_ > 0) return;
    const double fresh = static_cast<double>(window_samples_) / std::max(window_seconds_, 1e-9);
    const double weight = rate_ > 0 ? 1.0 - std::exp(-window_seconds_ / memory) : 1.0;
    rate_ += weight * (fresh - rate_);
    if (window_seconds_ < window) return;
    window_seconds_ = 0.0;
    window_samples_ = 0;
}

void RateMeter::pause() {
    if (!running_) return;
    running_ = false;
    const auto now = Clock::now();
    seconds_ += std::chrono::duration<double>(now - last_).count();
    last_ = now;
}

TimelineEvent typical(std::vector<TimelineEvent> batches) {
    const auto median = batches.begin() + static_cast<std::ptrdiff_t>((batches.size() - 1) / 2);
    std::nth_element(batches.begin(), median, batches.end(),
                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    return std::move(*median);
}

}  // namespace strata::train
