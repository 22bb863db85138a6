#include "engine/parallel/workers.h"

#include <pthread.h>
#include <sched.h>

#include <system_error>

#include "engine/core/error.h"
#include "engine/parallel/short_wait.h"

namespace strata::parallel {
namespace {

// Where the system does not allow it, the thread runs anywhere.
void stay_on(const std::vector<int>& cores) {
    if (cores.empty()) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core : cores)
        if (core >= 0 && core < CPU_SETSIZE) CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

}  // namespace

std::vector<int> usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &set)) cores.push_back(core);
    return cores.empty() ? std::vector<int>{0} : cores;
}

Workers::Workers(const std::vector<std::vector<int>>& cores,
                 const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < cores.size(); ++i) {
        try {
            threads_.emplace_back([this, i, own = cores[i]] { live(static_cast<int>(i), own); });
        } catch (const std::system_error&) {
            end();
            throw Error(ErrorCode::io, "cannot start a thread for each device", "placement",
                        "End other programs, or place the project on fewer devices");
        } catch (...) {
            end();
            throw;
        }
        // Here, not on the thread: who looks for it by its name finds it from now on.
        if (i < names.size() && !names[i].empty())
            pthread_setname_np(threads_.back().native_handle(), names[i].c_str());
    }
}

Workers::~Workers() {
    end();
}

void Workers::end() noexcept {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
        changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
}

void Workers::run(const std::function<void(int)>& work, const std::function<void()>& failed,
                  const std::function<void()>& meanwhile) {
    work_ = &work;
    failed_ = &failed;
    std::unique_lock lock(mutex_);
    error_ = nullptr;
    busy_ = count();
    ++orders_;
    changed_.notify_all();
    if (meanwhile) {
        lock.unlock();
        try {
            meanwhile();
        } catch (...) {
            take_error(failed);
        }
        lock.lock();
    }
    changed_.wait(lock, [this] { return busy_ == 0; });
    if (error_) std::rethrow_exception(error_);
}

void Workers::take_error(const std::function<void()>& failed) {
    {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
    }
    failed();
}

void Workers::live(int number, const std::vector<int>& cores) {
    stay_on(cores);
    for (std::uint64_t done = 0;; ++done) {
        soon([&] { return orders_ != done || ending_; });
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return ending_ || orders_ > done; });
            if (orders_ == done) return;
        }
        try {
            (*work_)(number);
        } catch (...) {
            take_error(*failed_);
        }
        const std::lock_guard lock(mutex_);
        if (--busy_ == 0) changed_.notify_all();
    }
}

}  // namespace strata::parallel
