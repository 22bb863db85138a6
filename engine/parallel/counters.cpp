#include "engine/parallel/counters.h"

namespace strata::parallel {
namespace {

// Before a thread goes to sleep: a task takes longer than waking costs, but often ends just now.
constexpr int short_looks = 4000;

}  // namespace

void Counters::advance(std::size_t counter) {
    done_[counter].fetch_add(1);
    if (sleepers_ == 0) return;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

bool Counters::wait(std::size_t counter, int count) {
    const std::atomic<int>& done = done_[counter];
    for (int look = 0; look < short_looks; ++look)
        if (failed_ || done >= count) return !failed_;
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
