// A communicator between threads of one process: ranks read each other's memory, which therefore
// has to stay until the threads of all ranks have ended, also after a failure.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/parallel/communicator.h"

namespace strata::parallel {

class LocalGroup {
public:
    explicit LocalGroup(int size, std::chrono::milliseconds deadline = default_deadline);
    ~LocalGroup();
    LocalGroup(const LocalGroup&) = delete;
    LocalGroup& operator=(const LocalGroup&) = delete;

    int size() const { return static_cast<int>(ranks_.size()); }
    // Lives as long as the group.
    Communicator& rank(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }

private:
    class Rank;
    // What the lines of a group share: one that ends, ends all.
    struct Fate {
        std::atomic<bool> failed{false};
        std::mutex mutex;  // of what follows, and of sleeping
        std::condition_variable changed;
        std::string failure;
    };

    LocalGroup(int size, std::chrono::milliseconds deadline, std::shared_ptr<Fate> fate);

    LocalGroup& line(int number);
    // Returns when all ranks have called it as often as this one.
    void meet(int rank);
    // The same, and then the others see where this rank's data are. To be followed by a meet() when
    // they have been read.
    void show(int rank, void* data);
    bool all_have_met(std::uint64_t times) const;
    std::string missing(std::uint64_t times) const;
    // Until all have; called with the mutex held.
    void wait(std::unique_lock<std::mutex>& lock, std::uint64_t times);
    void end(std::string why);        // the mutex is held
    void require_no_failure() const;  // the mutex is held

    std::chrono::milliseconds deadline_;
    std::vector<std::unique_ptr<Communicator>> ranks_;
    std::vector<void*> data_;                           // of each rank, as it has shown them
    std::vector<std::atomic<std::uint64_t>> meetings_;  // how many each rank has come to
    std::atomic<int> sleepers_{0};
    std::shared_ptr<Fate> fate_;
    std::map<int, std::unique_ptr<LocalGroup>> lines_;  // by number; under the fate's mutex
};

}  // namespace strata::parallel
