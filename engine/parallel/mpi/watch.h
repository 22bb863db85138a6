// Sees to it that no rank waits for one that is gone: every process sends signs of life to rank 0
// over a connection of its own, and rank 0 tells all who has died, fell silent or stays away. A
// thread of its own; knows no MPI, whose calls may hang.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/io/file.h"

namespace strata::parallel {

// Where rank 0 listens; plain bytes, to be sent to the others.
struct WatchAddress {
    static constexpr int most = 16;
    std::uint64_t token = 0;
    std::uint32_t addresses[most] = {};  // IPv4 in network order, of rank 0's interfaces; 0: none
    std::uint16_t port = 0;
};

class Watch {
public:
    // hosts: of all ranks. timeout: after it a rank that others wait for is named.
    Watch(int rank, std::vector<std::string> hosts, std::chrono::milliseconds timeout);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // In this order: rank 0 listens, the others connect, and all begin when everyone knows who is
    // connected. A rank without a connection is not watched, and sees the others' silence only by
    // its own deadline.
    WatchAddress listen();
    bool connect(const WatchAddress& address);
    void begin(const std::vector<bool>& connected);

    // Around each call that all ranks make together; each line's calls have an order of their own.
    void enter(int line);
    void leave(int line) noexcept;
    // Where a rank is busy with what takes its time, the others wait longer; not for ever.
    void set_busy(bool busy) { busy_since_ = busy ? now_ms() : 0; }
    bool someone_is_busy() const { return someone_is_busy_; }

    bool failed() const { return failed_.load(std::memory_order_acquire); }
    std::string failure() const;
    // Tells all ranks that the group has ended, and why. The first reason stays.
    void fail(const std::string& why) noexcept;
    // Whether rank 0 has gone, or was never to be seen.
    bool lead_has_left() const { return lead_has_left_; }
    // From now on the others' end is none of its concern.
    void finish() { finished_ = true; }

    std::string name_of(int rank) const;                        // "rank 2 (host x)"
    std::string names_of(const std::vector<int>& ranks) const;  // with "has" or "have" behind them

private:
    using Clock = std::chrono::steady_clock;
    struct Peer {
        int rank = -1;  // -1: has not said so yet
        io::FileDescriptor socket;
        std::vector<char> received;
        Clock::time_point heard;
        std::uint64_t entered = 0;
        std::int64_t waiting_ms = 0;
        bool busy = false;
        bool open = false, said_goodbye = false;
    };

    static std::int64_t now_ms();
    std::int64_t waited_ms() const;  // the line that has waited longest
    bool is_busy() const;
    void run();
    void wait_for_events();
    void look_at_clock();
    bool stood_still() const;
    std::string given_up(const std::string& why) const;
    void accept_one();
    void read_from(Peer& peer);
    void take_all(Peer& peer);
    void take(Peer& peer, char kind, const std::string& text);
    void lost(Peer& peer);
    void begin_waiting_again();
    void beat();
    void judge(Clock::time_point now);
    void judge_stalled();
    void send(Peer& peer, char kind, const std::string& text) noexcept;
    void tell_failure();
    void wake() noexcept;

    const int rank_;
    const std::vector<std::string> hosts_;
    const std::chrono::milliseconds timeout_, silence_, interval_;
    std::uint64_t token_ = 0;
    io::FileDescriptor listener_, waker_;
    std::vector<Peer> peers_;  // rank 0: of all others; else: rank 0 alone. The thread's own
    bool told_ = false;        // the failure, to the others. The thread's own
    // Of this process itself, which may be stopped: how long it stood still, and until when. The
    // thread's own
    Clock::time_point last_look_, woke_;
    std::chrono::milliseconds still_{0};
    std::thread thread_;

    std::atomic<std::uint64_t> entered_{0};      // calls, of all lines
    std::map<int, std::int64_t> waiting_since_;  // of each line, ms; 0: it does not. Under mutex_
    std::atomic<std::int64_t> busy_since_{0};    // ms; 0: it is not
    std::atomic<bool> someone_is_busy_{false};
    std::atomic<bool> lead_has_left_{true};
    std::atomic<bool> failed_{false}, finished_{false}, ending_{false};
    mutable std::mutex mutex_;
    std::string failure_;  // under mutex_
};

}  // namespace strata::parallel
