// What the watches of the ranks say to each other over their connections: a letter, the size of
// what follows, and that.
#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace strata::parallel {

inline constexpr char hello = 'h', life = 'b', failure_mark = 'f', goodbye = 'g';
inline constexpr std::size_t header_bytes = 5, most_text = 4096;

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

inline void send_at_once(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace strata::parallel
