#include "engine/parallel/mpi/watch.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "engine/core/error.h"

namespace strata::parallel {
namespace {

using std::chrono::milliseconds;

constexpr char hello = 'h', life = 'b', failure_mark = 'f', goodbye = 'g';
constexpr std::size_t header_bytes = 5, most_text = 4096;
constexpr int patience = 20;  // timeouts for a rank that is busy
constexpr milliseconds longest_interval{500}, shortest_interval{20}, connect_time{3000};

struct Hello {
    std::uint64_t token;
    std::int64_t rank;
};
struct Life {
    std::uint64_t entered;
    std::int64_t waiting_ms;
    std::int64_t busy;  // the sender, or of rank 0 anyone
};

template <typename T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <typename T>
bool read_value(const std::string& text, T& value) {
    if (text.size() != sizeof value) return false;
    std::memcpy(&value, text.data(), sizeof value);
    return true;
}

std::string seconds_text(milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", static_cast<double>(time.count()) / 1000.0);
    return text;
}

io::FileDescriptor make_socket() {
    return io::FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

void send_at_once(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool connects(int socket, std::uint32_t address, std::uint16_t port) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = address;
    to.sin_port = port;
    if (::connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) return true;
    if (errno != EINPROGRESS) return false;
    pollfd ready{socket, POLLOUT, 0};
    if (::poll(&ready, 1, static_cast<int>(connect_time.count())) != 1) return false;
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
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

std::int64_t Watch::waited_ms() const {
    const std::int64_t since = waiting_since_;
    return since == 0 ? 0 : now_ms() - since;
}

bool Watch::is_busy() const {
    const std::int64_t since = busy_since_;
    return since != 0 && now_ms() - since < patience * timeout_.count();
}

std::string Watch::name_of(int rank) const {
    return "rank " + std::to_string(rank) + " (host " + hosts_[static_cast<std::size_t>(rank)] +
           ")";
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

// ---- meeting

WatchAddress Watch::listen() {
    WatchAddress address;
    listener_ = make_socket();
    sockaddr_in any{};
    any.sin_family = AF_INET;
    socklen_t size = sizeof any;
    if (!listener_ || ::bind(listener_.get(), reinterpret_cast<sockaddr*>(&any), size) != 0 ||
        ::listen(listener_.get(), SOMAXCONN) != 0 ||
        ::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&any), &size) != 0)
        return address;
    address.port = any.sin_port;
    if (::getrandom(&token_, sizeof token_, 0) != sizeof token_) return {};
    address.token = token_;
    ifaddrs* interfaces = nullptr;
    if (::getifaddrs(&interfaces) != 0) return address;
    int count = 0;
    for (const ifaddrs* one = interfaces; one != nullptr; one = one->ifa_next) {
        if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET ||
            (one->ifa_flags & IFF_LOOPBACK) != 0 || count == WatchAddress::most)
            continue;
        sockaddr_in found{};
        std::memcpy(&found, one->ifa_addr, sizeof found);
        address.addresses[count++] = found.sin_addr.s_addr;
    }
    ::freeifaddrs(interfaces);
    return address;
}

bool Watch::connect(const WatchAddress& address) {
    if (address.port == 0) return false;
    std::vector<std::uint32_t> places(std::begin(address.addresses), std::end(address.addresses));
    if (hosts_[static_cast<std::size_t>(rank_)] == hosts_.front())
        places.insert(places.begin(), htonl(INADDR_LOOPBACK));
    for (const std::uint32_t place : places) {
        Peer hub;
        hub.socket = make_socket();
        if (place == 0 || !hub.socket || !connects(hub.socket.get(), place, address.port)) continue;
        send_at_once(hub.socket.get());
        hub.rank = 0;
        hub.open = true;
        send(hub, hello, bytes_of(Hello{address.token, rank_}));
        peers_.push_back(std::move(hub));
        lead_has_left_ = false;
        return true;
    }
    return false;
}

void Watch::begin(const std::vector<bool>& connected) {
    if (rank_ == 0)
        for (std::size_t rank = 1; rank < connected.size(); ++rank) {
            if (!connected[rank]) continue;
            Peer peer;
            peer.rank = static_cast<int>(rank);
            peers_.push_back(std::move(peer));
        }
    const auto now = Clock::now();
    for (Peer& peer : peers_) peer.heard = now;
    if (!peers_.empty()) thread_ = std::thread([this] { run(); });
}

// ---- the thread

void Watch::run() {
    block_signals();
    Clock::time_point last = Clock::now(), next_beat = last;
    while (!ending_) {
        wait_for_events();
        const auto now = Clock::now();
        // It was stopped itself, or got no time: that says nothing about the others.
        if (now - last > silence_ / 2)
            for (Peer& peer : peers_) peer.heard = now;
        last = now;
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
    std::uint64_t ignored = 0;
    if (events[0].revents != 0) [[maybe_unused]]
        const auto got = ::read(waker_.get(), &ignored, sizeof ignored);
    if (listener_ && events[1].revents != 0) accept_one();
    for (std::size_t i = 0; i < of.size(); ++i)
        if (events[first + i].revents != 0) read_from(peers_[of[i]]);
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
    if (kind == failure_mark && !finished_) fail(text);
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
    fail(name_of(peer.rank) + " has ended without a word: it was killed, or its machine is gone");
}

void Watch::beat() {
    bool busy = is_busy();
    for (const Peer& peer : peers_) busy = busy || (peer.open && peer.busy);
    someone_is_busy_ = busy;
    if (std::int64_t since = waiting_since_; busy && since != 0)
        waiting_since_.compare_exchange_strong(since, now_ms());
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
    std::string names = entered_ == least ? name_of(0) : "";
    for (const Peer& peer : peers_)
        if (peer.entered == least) names += (names.empty() ? "" : ", ") + name_of(peer.rank);
    fail(names + " has not come for " + seconds_text(timeout_) + " to where the others wait");
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
