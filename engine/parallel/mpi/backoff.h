// How a rank passes the time in which it waits for another: a short spin for those that work in
// step, then giving way, then short sleeps, so that ranks which share a core get it.
#pragma once

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <ctime>

namespace strata::parallel {

class Backoff {
public:
    using Clock = std::chrono::steady_clock;

    std::chrono::nanoseconds waited() const { return Clock::now() - begin_; }

    void pause() {
        constexpr int spins = 100;
        constexpr std::chrono::microseconds yields{200};
        constexpr long shortest = 20'000, longest = 500'000;  // ns
        if (++looks_ < spins) return;
        if (waited() < yields) {
            ::sched_yield();
            return;
        }
        const timespec time{0, sleep_};
        ::nanosleep(&time, nullptr);
        sleep_ = std::min(longest, std::max(shortest, sleep_ + sleep_ / 4));
    }
    // The time that was waited does not count.
    void begin_again() { begin_ = Clock::now(); }

private:
    int looks_ = 0;
    long sleep_ = 0;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace strata::parallel
