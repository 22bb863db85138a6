// What the pipeline's stages did, for the stage view and the log: rates, queues and the sentence
// that says what holds the device up.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace strata::data {

struct StageStatistics {
    std::string name;  // "source", "cache", "shuffle", "map", "batch", "prefetch"
    // What its threads could do if they did nothing else, from their busy time; 0: it has no work
    // of its own, or has done none yet.
    double samples_per_s = 0.0;
    double busy = 0.0;          // share of its threads' time, 0 to 1
    int threads = 0;            // that work on it now
    double fill = 0.0;          // of its queue, 0 to 1
    std::int64_t capacity = 0;  // of its queue: samples, of prefetch batches; 0: none
};

// The stage that is busiest; -1 where none has worked.
int busiest_stage(const std::vector<StageStatistics>& stages);

// "the device waits for data 37 % of the time"
std::string wait_text(double share);
// "map is at its limit: 3200 samples/s on 2 threads", or, where the device hardly waits (below 2
// %), "the device is at its limit".
std::string limit_text(const std::vector<StageStatistics>& stages, double wait_share);

// Busy time and samples of one stage, added to by several threads.
class StageMeter {
public:
    using Clock = std::chrono::steady_clock;

    void add(Clock::duration busy, std::int64_t samples) {
        busy_ns_.fetch_add(std::chrono::nanoseconds(busy).count(), std::memory_order_relaxed);
        samples_.fetch_add(samples, std::memory_order_relaxed);
    }
    void reset() { busy_ns_ = samples_ = 0; }
    double busy_seconds() const { return static_cast<double>(busy_ns_.load()) * 1e-9; }
    std::int64_t samples() const { return samples_.load(); }

private:
    std::atomic<std::int64_t> busy_ns_{0}, samples_{0};
};

// Adds the time of its life to a meter.
class StageTimer {
public:
    StageTimer(StageMeter& meter, std::int64_t samples) : meter_(meter), samples_(samples) {}
    ~StageTimer() { meter_.add(StageMeter::Clock::now() - begin_, samples_); }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    StageMeter& meter_;
    std::int64_t samples_;
    StageMeter::Clock::time_point begin_ = StageMeter::Clock::now();
};

// The statistics of a stage on `threads` threads that were there for `seconds`.
StageStatistics statistics_of(const char* name, const StageMeter& meter, int threads,
                              double seconds);

}  // namespace strata::data
