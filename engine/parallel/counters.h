// Counts that threads raise and wait for: how far stages, buckets and replicas are.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace strata::parallel {

class Counters {
public:
    explicit Counters(std::size_t count) : done_(count) {}

    // Sets all to 0, while no thread waits.
    void begin() {
        for (auto& count : done_) count = 0;
    }
    void advance(std::size_t counter);
    bool reached(std::size_t counter, int count) const { return done_[counter] >= count; }
    // Until it is `count` or more. False where all has ended by a failure.
    bool wait(std::size_t counter, int count);
    // Lets all waiting threads go; for good.
    void fail();
    bool failed() const { return failed_; }

private:
    std::vector<std::atomic<int>> done_;
    std::atomic<bool> failed_{false};
    std::atomic<int> sleepers_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace strata::parallel
