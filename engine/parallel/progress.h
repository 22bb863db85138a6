// How far the stages of a replica are. Written and awaited by the threads of its devices.
#pragma once

#include "engine/parallel/counters.h"

namespace strata::parallel {

class Progress {
public:
    explicit Progress(int stages) : done_(2 * static_cast<std::size_t>(stages)) {}

    // Before a batch, while no thread waits.
    void begin() { done_.begin(); }
    // A stage has done one micro-batch more in this direction.
    void advance(int stage, bool backward) { done_.advance(counter(stage, backward)); }
    // Until it has done `count` of them. False where the replica has ended by a failure.
    bool wait(int stage, bool backward, int count) {
        return done_.wait(counter(stage, backward), count);
    }
    // Lets all waiting threads go; for good.
    void fail() { done_.fail(); }

private:
    static std::size_t counter(int stage, bool backward) {
        return 2 * static_cast<std::size_t>(stage) + (backward ? 1 : 0);
    }

    Counters done_;
};

}  // namespace strata::parallel
