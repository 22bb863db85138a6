// How far the stages of a replica are. Written and awaited by the threads of its devices.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace strata::parallel {

class Progress {
public:
    explicit Progress(int stages) : done_(2 * static_cast<std::size_t>(stages)) {}

    // Before a batch, while no thread waits.
    void begin() {
        for (auto& count : done_) count = 0;
    }
    // A stage has done one micro-batch more in this direction.
    void advance(int stage, bool backward);
    // Until it has done `count` of them. False where the replica has ended by a failure.
    bool wait(int stage, bool backward, int count);
    // Lets all waiting threads go; for good.
    void fail();

private:
    std::atomic<int>& of(int stage, bool backward) {
        return done_[2 * static_cast<std::size_t>(stage) + (backward ? 1 : 0)];
    }

    std::vector<std::atomic<int>> done_;
    std::atomic<bool> failed_{false};
    std::atomic<int> sleepers_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace strata::parallel
