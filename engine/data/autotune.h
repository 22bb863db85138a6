// How many threads read and how many batches are held ready, from how often the consumer waits.
// Decides about time and memory alone, never about the stream. Used by the pipeline.
#pragma once

#include <cstdint>

namespace strata::data {

struct TuneLimits {
    int threads = 1;            // at most
    bool fixed_threads = true;  // as many as at the start
    std::int64_t buffers = 1;   // at most
};

struct Tuning {
    int threads = 1;
    std::int64_t buffers = 1;

    friend bool operator==(const Tuning&, const Tuning&) = default;
};

// What was seen since the last decision.
struct TuneWindow {
    double seconds = 0;
    double waited = 0;   // of them, by the consumer
    double samples = 0;  // that it took
    double busy = 0;     // share of the threads' time in which they worked
};

class Autotune {
public:
    Autotune(const TuneLimits& limits, const Tuning& start) : limits_(limits), now_(start) {}

    const Tuning& tuning() const { return now_; }
    // A thread is added while the consumer waits and the threads are busy, and taken back where
    // that did not help, to be tried again after longer and longer pauses; buffers double while the
    // consumer waits for threads that are often idle. A thread goes where nobody has waited for
    // long and one fewer would do.
    Tuning next(const TuneWindow& window);
    // The next window begins with empty buffers: it says nothing about the last thread added.
    void start_epoch() { rate_before_ = 0; }

private:
    void shrink(const TuneWindow& window);

    TuneLimits limits_;
    Tuning now_;
    double rate_before_ = 0;  // samples/s before the last thread was added; 0: none was just now
    int patience_ = 0;        // windows for which no thread is added
    int pause_ = 0;  // windows of the last such time that a thread which did not help began
    int calm_ = 0;   // windows in a row without waiting
};

// Cores that this process may use.
int usable_cores();

}  // namespace strata::data
