#include "engine/parallel/counters.h"

#include "engine/parallel/short_wait.h"

namespace strata::parallel {

void Counters::advance(std::size_t counter) {
    done_[counter].fetch_add(1);
    if (sleepers_ == 0) return;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

bool Counters::wait(std::size_t counter, int count) {
    const std::atomic<int>& done = done_[counter];
    if (soon([&] { return failed_ || done >= count; })) return !failed_;
    std::unique_lock lock(mutex_);
    ++sleepers_;
    changed_.wait(lock, [&] { return failed_ || done >= count; });
    --sleepers_;
    return !failed_;
}

void Counters::fail() {
    failed_ = true;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

}  // namespace strata::parallel
