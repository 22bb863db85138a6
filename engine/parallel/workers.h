// Threads that stay: one for each device of this process, pinned to cores of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace strata::parallel {

// The numbers of the cores that this process may use; at least one.
std::vector<int> usable_cores();

class Workers {
public:
    // cores: of each thread, the numbers that it and its own threads may run on; empty: any. names:
    // that it and they have for the system, at most 15 characters; none: the program's.
    // Throws Error{io} where the system does not let so many begin.
    explicit Workers(const std::vector<std::vector<int>>& cores,
                     const std::vector<std::string>& names = {});
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int count() const { return static_cast<int>(threads_.size()); }
    // work(i) on thread i, on all of them at once; returns when all have ended. Throws what the
    // first of them threw; failed() is called, on its thread, before the others have ended.
    // meanwhile, where there is one, on the caller's thread; what it throws counts as the others'.
    void run(const std::function<void(int)>& work, const std::function<void()>& failed,
             const std::function<void()>& meanwhile = nullptr);

private:
    void take_error(const std::function<void()>& failed);
    void live(int number, const std::vector<int>& cores);
    void end() noexcept;

    std::atomic<std::uint64_t> orders_{0};
    std::atomic<int> busy_{0};
    std::atomic<bool> ending_{false};
    const std::function<void(int)>* work_ = nullptr;
    const std::function<void()>* failed_ = nullptr;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::exception_ptr error_;  // under the mutex
    std::vector<std::thread> threads_;
};

}  // namespace strata::parallel
