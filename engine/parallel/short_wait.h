// What a thread does before it goes to sleep. Used where the devices of a process wait for each
// other, which mostly takes them microseconds: to wake a thread takes longer, several times so on a
// virtual machine.
#pragma once

#include <sched.h>

#include <chrono>

namespace strata::parallel {

constexpr std::chrono::microseconds short_wait{100};

// Looks until done() is true, and lets other threads have the core in between. False where it is
// not after a short wait.
template <typename Done>
bool soon(const Done& done) {
    using Clock = std::chrono::steady_clock;
    constexpr int looks = 200;
    const auto until = Clock::now() + short_wait;
    do {
        for (int look = 0; look < looks; ++look)
            if (done()) return true;
        ::sched_yield();
    } while (Clock::now() < until);
    return false;
}

}  // namespace strata::parallel
