#include "engine/parallel/mpi/watch.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "engine/core/error.h"
#include "engine/parallel/mpi/watch_messages.h"

namespace strata::parallel {
namespace {

using std::chrono::milliseconds;

constexpr int patience = 20;  // timeouts for a rank that is busy
constexpr milliseconds longest_interval{500}, shortest_interval{20};

std::string seconds_text(milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", static_cast<double>(time.count()) / 1000.0);
    return text;
}

// Signals are for the program's own threads.
void block_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

Watch::Watch(int rank, std::vector<std::string> hosts, milliseconds timeout)
    : rank_(rank),
      hosts_(std::move(hosts)),
      timeout_(timeout),
      silence_(timeout * 2 / 3),
      interval_(std::clamp(timeout / 30, shortest_interval, longest_interval)),
      waker_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Watch::~Watch() {
    ending_ = true;
    wake();
    if (thread_.joinable()) thread_.join();
}

std::int64_t Watch::now_ms() {
    return std::chrono::duration_cast<milliseconds>(Clock::now().time_since_epoch()).count();
}

void Watch::enter(int line) {
    const std::lock_guard lock(mutex_);
    waiting_since_[line] = now_ms();
    ++entered_;
}

void Watch::leave(int line) noexcept {
    const std::lock_guard lock(mutex_);
    waiting_since_.find(line)->second = 0;
}

std::int64_t Watch::waited_ms() const {
    const std::lock_guard lock(mutex_);
    std::int64_t longest = 0;
    for (const auto& [line, since] : waiting_since_)
        if (since != 0) longest = std::max(longest, now_ms() - since);
    return longest;
}

bool Watch::is_busy() const {
    const std::int64_t since = busy_since_;
    return since != 0 && now_ms() - since < patience * timeout_.count();
}

std::string Watch::name_of(int rank) const {
    return "rank " + std::to_string(rank) + " (host " + hosts_[static_cast<std::size_t>(rank)] +
           ")";
}

std::string Watch::names_of(const std::vector<int>& ranks) const {
    std::string names;
    for (int rank : ranks) names += (names.empty() ? "" : ", ") + name_of(rank);
    return names + (ranks.size() == 1 ? " has" : " have");
}

std::string Watch::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void Watch::fail(const std::string& why) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        if (failure_.empty()) failure_ = why.substr(0, most_text);
    } catch (const std::bad_alloc&) {  // the flag says enough
    }
    failed_.store(true, std::memory_order_release);
    wake();
}

void Watch::wake() noexcept {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(waker_.get(), &one, sizeof one);
}

// ---- the thread

void Watch::run() {
    block_signals();
    Clock::time_point next_beat = last_look_ = Clock::now();
    while (!ending_) {
        wait_for_events();
        const auto now = Clock::now();
        if (failed_ && !told_) tell_failure();
        if (now >= next_beat) {
            beat();
            next_beat = now + interval_;
        }
        if (!failed_ && !finished_) judge(now);
    }
    if (failed_ && !told_) tell_failure();
    if (!failed_)
        for (Peer& peer : peers_) send(peer, goodbye, "");
}

void Watch::wait_for_events() {
    std::vector<pollfd> events{{waker_.get(), POLLIN, 0}};
    if (listener_) events.push_back({listener_.get(), POLLIN, 0});
    const std::size_t first = events.size();
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < peers_.size(); ++i)
        if (peers_[i].open) {
            events.push_back({peers_[i].socket.get(), POLLIN, 0});
            of.push_back(i);
        }
    ::poll(events.data(), events.size(), static_cast<int>(interval_.count()));
    look_at_clock();
    std::uint64_t ignored = 0;
    if (events[0].revents != 0) [[maybe_unused]]
        const auto got = ::read(waker_.get(), &ignored, sizeof ignored);
    if (listener_ && events[1].revents != 0) accept_one();
    for (std::size_t i = 0; i < of.size(); ++i)
        if (events[first + i].revents != 0) read_from(peers_[of[i]]);
}

// Where it was stopped itself, or got no time, that says nothing about the others.
void Watch::look_at_clock() {
    const auto now = Clock::now();
    const auto gap = std::chrono::duration_cast<milliseconds>(now - std::exchange(last_look_, now));
    if (gap <= silence_ / 2) return;
    for (Peer& peer : peers_) peer.heard = now;
    begin_waiting_again();
    still_ = gap;
    woke_ = now;
}

// For so long that the others give it up, and not long ago.
bool Watch::stood_still() const {
    return still_ >= silence_ && last_look_ - woke_ < timeout_;
}

// What this rank says of itself where the others say `why`.
std::string Watch::given_up(const std::string& why) const {
    if (!stood_still()) return "the others gave this rank up: " + why;
    return "this rank stood still for " + seconds_text(still_) +
           ", stopped or without a processor, and the others gave it up";
}

// Waits a moment for the greeting, which was sent before anything else.
void Watch::accept_one() {
    io::FileDescriptor socket(
        ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return;
    pollfd ready{socket.get(), POLLIN, 0};
    char bytes[header_bytes + sizeof(Hello)];
    Hello greeting{};
    if (::poll(&ready, 1, 200) != 1 ||
        ::recv(socket.get(), bytes, sizeof bytes, 0) != sizeof bytes || bytes[0] != hello)
        return;
    std::memcpy(&greeting, bytes + header_bytes, sizeof greeting);
    for (Peer& peer : peers_)
        if (greeting.token == token_ && peer.rank == greeting.rank && !peer.open) {
            send_at_once(socket.get());
            peer.socket = std::move(socket);
            peer.open = true;
            peer.heard = Clock::now();
            return;
        }
}

void Watch::read_from(Peer& peer) {
    char bytes[4096];
    bool ended = false;
    for (;;) {
        const auto got = ::recv(peer.socket.get(), bytes, sizeof bytes, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) break;
        ended = got <= 0;
        if (ended) break;
        peer.received.insert(peer.received.end(), bytes, bytes + got);
    }
    peer.heard = Clock::now();
    take_all(peer);
    if (ended) lost(peer);  // after its last words
}

void Watch::take_all(Peer& peer) {
    std::vector<char>& in = peer.received;
    while (in.size() >= header_bytes) {
        std::uint32_t size = 0;
        std::memcpy(&size, in.data() + 1, sizeof size);
        if (size > most_text) return lost(peer);
        if (in.size() < header_bytes + size) break;
        const char kind = in[0];
        const std::string text(in.data() + header_bytes, size);
        in.erase(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(header_bytes + size));
        take(peer, kind, text);
    }
}

void Watch::take(Peer& peer, char kind, const std::string& text) {
    if (kind == goodbye) peer.said_goodbye = true;
    if (kind == failure_mark && !finished_) {
        const bool means_this = text.find(name_of(rank_)) != std::string::npos;
        fail(means_this ? given_up(text) : text);
    }
    if (Life sign{}; kind == life && read_value(text, sign)) {
        peer.entered = sign.entered;
        peer.waiting_ms = sign.waiting_ms;
        peer.busy = sign.busy != 0;
    }
}

void Watch::lost(Peer& peer) {
    peer.open = false;
    if (rank_ != 0) lead_has_left_ = true;
    if (peer.said_goodbye || finished_) return;
    peer.said_goodbye = true;  // is told once
    const std::string why =
        name_of(peer.rank) + " has ended without a word: it was killed, or its machine is gone";
    fail(stood_still() ? given_up(why) : why);
}

void Watch::begin_waiting_again() {
    const std::lock_guard lock(mutex_);
    for (auto& [line, since] : waiting_since_)
        if (since != 0) since = now_ms();
}

void Watch::beat() {
    bool busy = is_busy();
    for (const Peer& peer : peers_) busy = busy || (peer.open && peer.busy);
    someone_is_busy_ = busy;
    if (busy) begin_waiting_again();
    const bool told = rank_ == 0 ? busy : is_busy();
    const std::string sign = bytes_of(Life{entered_, waited_ms(), told ? 1 : 0});
    for (Peer& peer : peers_) send(peer, life, sign);
}

void Watch::judge(Clock::time_point now) {
    for (const Peer& peer : peers_)
        if (!peer.said_goodbye && now - peer.heard > silence_)
            return fail(name_of(peer.rank) + " has not answered for " + seconds_text(silence_));
    if (rank_ == 0) judge_stalled();
}

// A rank that lives and yet stays away from the call in which another has waited for too long.
void Watch::judge_stalled() {
    std::uint64_t least = entered_, waits = waited_ms() >= timeout_.count() ? least : 0;
    for (const Peer& peer : peers_) {
        least = std::min(least, peer.entered);
        if (peer.waiting_ms >= timeout_.count()) waits = std::max(waits, peer.entered);
    }
    if (waits <= least || someone_is_busy_) return;
    std::vector<int> missing;
    if (entered_ == least) missing.push_back(0);
    for (const Peer& peer : peers_)
        if (peer.entered == least) missing.push_back(peer.rank);
    fail(names_of(missing) + " not come for " + seconds_text(timeout_) +
         " to where the others wait");
}

void Watch::send(Peer& peer, char kind, const std::string& text) noexcept {
    if (!peer.open) return;
    char message[header_bytes + most_text];
    const auto size = static_cast<std::uint32_t>(std::min(text.size(), most_text));
    message[0] = kind;
    std::memcpy(message + 1, &size, sizeof size);
    std::copy_n(text.data(), size, message + header_bytes);
    const auto wanted = static_cast<ssize_t>(header_bytes + size);
    const auto sent =
        ::send(peer.socket.get(), message, header_bytes + size, MSG_NOSIGNAL | MSG_DONTWAIT);
    // A full buffer swallows whole messages; half of one would garble all that follow.
    if (sent >= 0 && sent < wanted) peer.open = false;
}

void Watch::tell_failure() {
    told_ = true;
    const std::string why = failure();
    for (Peer& peer : peers_) send(peer, failure_mark, why);
}

}  // namespace strata::parallel
