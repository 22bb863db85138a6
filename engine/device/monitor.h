// What a device tells of itself while it works: memory, load, temperature and power. Made by a
// backend; read about twice a second by a thread that does nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace strata::device {

// Whose work `utilisation` counts.
enum class LoadScope : std::uint8_t {
    device,   // all that the device does, whichever program asked for it
    threads,  // the threads of this program that stand for the device
    process   // the whole program
};

// A figure that the device or its driver does not tell is absent, and never 0.
struct Reading {
    std::optional<std::size_t> used_bytes;  // of the device's memory, by all programs
    std::optional<std::size_t> free_bytes;
    std::optional<std::size_t> program_bytes;  // of those in use: this program's
    std::optional<double> utilisation;         // 0 to 1: share of the time that it worked
    LoadScope scope = LoadScope::device;
    std::optional<double> temperature;  // degrees Celsius
    std::optional<double> power;        // watts
    std::optional<double> power_limit;  // watts, that the device may take

    friend bool operator==(const Reading&, const Reading&) = default;
};

class Monitor {
public:
    virtual ~Monitor() = default;
    // On any thread, one at a time, also while the device works. What counts since the last reading
    // is absent in the first.
    virtual Reading read() noexcept = 0;
};

}  // namespace strata::device
