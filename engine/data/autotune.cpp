#include "engine/data/autotune.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace strata::data {
namespace {

constexpr double waits = 0.02, hardly_waits = 0.002;  // shares of the consumer's time
constexpr double full = 0.7;   // share of busy time: the threads are the limit
constexpr double gain = 1.02;  // that an added thread must bring
constexpr int first_pause = 4, longest_pause = 40, long_calm = 20;  // windows

}  // namespace

Tuning Autotune::next(const TuneWindow& window) {
    if (!(window.seconds > 0)) return now_;
    const double rate = window.samples / window.seconds;
    const double share = window.waited / window.seconds;
    patience_ = std::max(0, patience_ - 1);
    if (rate_before_ > 0) {
        const bool helped = rate >= gain * rate_before_;
        rate_before_ = 0;
        pause_ = helped ? 0 : std::clamp(2 * pause_, first_pause, longest_pause);
        if (!helped) {
            --now_.threads;
            patience_ = pause_;
            return now_;
        }
    }
    if (share > waits) {
        calm_ = 0;
        if (window.busy < full) {
            now_.buffers = std::min(2 * now_.buffers, std::max(limits_.buffers, now_.buffers));
        } else if (!limits_.fixed_threads && now_.threads < limits_.threads && patience_ == 0) {
            rate_before_ = rate;
            ++now_.threads;
        }
        return now_;
    }
    shrink(window);
    return now_;
}

void Autotune::shrink(const TuneWindow& window) {
    calm_ = window.waited <= hardly_waits * window.seconds ? calm_ + 1 : 0;
    const double one_fewer = static_cast<double>(now_.threads - 1) / now_.threads;
    if (limits_.fixed_threads || calm_ < long_calm || now_.threads <= 1 ||
        window.busy > full * one_fewer)
        return;
    calm_ = 0;
    --now_.threads;
    patience_ = longest_pause;
}

int usable_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (::sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace strata::data
