// Ctrl+C, termination and the pause signal: a handler that only writes to a pipe, and a thread that
// acts on it.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace strata::cli {

// From construction to destruction SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 call `on_signal` on
// a thread of its own, once for each that arrives. One at a time in a process.
class SignalWatch {
public:
    explicit SignalWatch(std::function<void(int signal)> on_signal);
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    // Of the first one: 130 for SIGINT, 129 for SIGHUP, 143 for SIGTERM and SIGUSR1; 0 where none
    // of them came. SIGUSR2 ends nothing.
    int exit_code() const;

private:
    std::atomic<int> first_{0};
    std::thread thread_;
};

}  // namespace strata::cli
