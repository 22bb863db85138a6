#include "engine/parallel/progress.h"

namespace strata::parallel {
namespace {

// Before a thread goes to sleep: a stage takes longer than waking costs, but often ends just now.
constexpr int short_looks = 4000;

}  // namespace

void Progress::advance(int stage, bool backward) {
    of(stage, backward).fetch_add(1);
    if (sleepers_ == 0) return;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

bool Progress::wait(int stage, bool backward, int count) {
    const std::atomic<int>& done = of(stage, backward);
    for (int look = 0; look < short_looks; ++look)
        if (failed_ || done >= count) return !failed_;
    std::unique_lock lock(mutex_);
    ++sleepers_;
    changed_.wait(lock, [&] { return failed_ || done >= count; });
    --sleepers_;
    return !failed_;
}

void Progress::fail() {
    failed_ = true;
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

}  // namespace strata::parallel
