// How the watches of the ranks find each other: rank 0 listens, the others connect to it.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "engine/parallel/mpi/watch.h"
#include "engine/parallel/mpi/watch_messages.h"

namespace strata::parallel {
namespace {

constexpr std::chrono::milliseconds connect_time{3000};

io::FileDescriptor make_socket() {
    return io::FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
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

}  // namespace

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

}  // namespace strata::parallel
