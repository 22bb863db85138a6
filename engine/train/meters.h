// What a run measures of itself. Used by the trainer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/train/events.h"

namespace strata::train {

std::size_t process_bytes();       // resident memory now; 0 where the system does not say
std::size_t peak_process_bytes();  // the most so far

// Samples a second of training alone, smoothed over about a second.
class RateMeter {
public:
    void start();                    // time counts from here; again after each break
    void add(std::int64_t samples);  // a step has ended
    void pause();                    // validation, a checkpoint, a pause: their time does not count

    double samples_per_s() const { return rate_; }
    double mean() const { return seconds_ > 0 ? static_cast<double>(samples_) / seconds_ : 0.0; }
    bool running() const { return running_; }
    double seconds() const { return seconds_; }
    std::int64_t samples() const { return samples_; }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_;
    bool running_ = false;
    double seconds_ = 0.0, window_seconds_ = 0.0, rate_ = 0.0;
    std::int64_t samples_ = 0, window_samples_ = 0;
};

// The batch of median length, of at least one; of an even number the shorter.
TimelineEvent typical(std::vector<TimelineEvent> batches);

}  // namespace strata::train
