// Copies between host and device and on the device: that the bytes arrive, and how fast.
#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/core/random.h"
#include "engine/graph/runtime.h"
#include "engine/selftest/checks.h"
#include "engine/selftest/stopwatch.h"

namespace strata::selftest {
namespace {

constexpr double enough = 0.005;  // seconds of a copy
constexpr double least = 1 << 16, most = 256 << 20;

// Memory that is given back where a check ends early.
class Block {
public:
    Block(device::Device& device, std::size_t bytes, bool host = false)
        : device_(device),
          host_(host),
          data_(host ? device.allocate_host(bytes) : device.allocate(bytes)) {}
    ~Block() {
        if (host_)
            device_.release_host(data_);
        else
            device_.release(data_);
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    void* data() const { return data_; }

private:
    device::Device& device_;
    bool host_;
    void* data_;
};

void fill(void* host, std::size_t bytes) {
    auto* words = static_cast<std::uint32_t*>(host);
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < bytes / 4; ++i) words[i] = state = state * 1664525U + 1013904223U;
}

// There by way of `there` and back: each of them a copy of `bytes`.
struct Copies {
    double to = 0.0, from = 0.0, on = 0.0;  // seconds
    bool arrived = false;
};

Copies copy(device::Device& device, std::size_t bytes, bool pinned) {
    const Block here(device, bytes), there(device, bytes);
    std::vector<std::byte> pageable(pinned ? 0 : bytes), back(bytes);
    const Block staged(device, pinned ? bytes : 1, true);
    void* host = pinned ? staged.data() : static_cast<void*>(pageable.data());
    fill(host, bytes);
    Copies copies;
    copies.to = seconds_of(device, [&] {
        if (pinned)
            device.queue_copy_in(here.data(), host, bytes);
        else
            device.copy_in(here.data(), host, bytes);
    });
    copies.on =
        seconds_of(device, [&] { device.copy_to(device, there.data(), here.data(), bytes); });
    copies.from = seconds_of(device, [&] {
        if (pinned)
            device.queue_copy_out(host, there.data(), bytes);
        else
            device.copy_out(host, there.data(), bytes);
    });
    std::vector<std::byte> wanted(bytes);
    fill(wanted.data(), bytes);
    device.copy_out(back.data(), there.data(), bytes);
    copies.arrived = std::memcmp(back.data(), wanted.data(), bytes) == 0 &&
                     std::memcmp(host, wanted.data(), bytes) == 0;
    return copies;
}

void tell_rate(Line& line, double bytes, double seconds, bool arrived) {
    line.measured = rate_text(bytes / seconds, "B") + ", " +
                    std::to_string(static_cast<long long>(bytes) >> 10) + " KiB";
    line.figures = {{"bytes_per_s", bytes / seconds}, {"bytes", bytes}};
    if (!arrived) fail(line, "other bytes arrived than were sent");
}

}  // namespace

void check_copies(const Teller& teller) {
    const auto device = graph::runtime().open(teller.device(), {});
    const double room = device->info().memory > 0
                            ? std::min(most, static_cast<double>(device->info().memory) / 16.0)
                            : least;
    for (const bool pinned : {true, false}) {
        Copies copies;
        double bytes = 0.0;
        const std::string way = pinned ? "" : ", pageable memory";
        teller.line("to the device" + way, "", [&](Line& line) {
            bytes = grow(least, room, enough, 4.0, [&](double size) {
                        copies = copy(*device, static_cast<std::size_t>(size), pinned);
                        return std::max({copies.to, copies.from, copies.on});
                    }).size;
            tell_rate(line, bytes, copies.to, copies.arrived);
        });
        if (bytes == 0.0) return;  // it failed
        teller.line("from the device" + way, "",
                    [&](Line& line) { tell_rate(line, bytes, copies.from, copies.arrived); });
        if (pinned)
            teller.line("on the device, read and written", "", [&](Line& line) {
                tell_rate(line, 2.0 * bytes, copies.on, copies.arrived);
            });
    }
}

}  // namespace strata::selftest
