// The machine's memory and this program's share of it and of the cores, from /proc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/device/monitor.h"

namespace strata::cpu {

// A thread's or a process's time on the cores, as a line of /proc/.../stat has it: its name, and
// ticks in the program and in the kernel together. Nothing where the line is not of that kind.
struct CpuTime {
    std::string name;
    std::uint64_t ticks = 0;
};
std::optional<CpuTime> cpu_time_of(const std::string& stat_line);

class CpuMonitor final : public device::Monitor {
public:
    // id: "cpu:1". Threads of that name stand for the device; where there are none, the whole
    // program does. cores: that the program may use.
    CpuMonitor(std::string id, int cores, std::string proc = "/proc");

    device::Reading read() noexcept override;
    // The same at a given time, in seconds: what has counted since the last reading is over the
    // time between.
    device::Reading read_at(double now);

private:
    struct Thread {
        std::string id;
        std::uint64_t ticks = 0;
    };
    struct Counted {
        double time = 0.0;
        std::vector<Thread> own;    // the device's threads
        std::uint64_t process = 0;  // ticks of all
    };
    void read_memory(device::Reading& reading) const;
    Counted count(double now) const;
    void compare(const Counted& before, const Counted& after, device::Reading& reading) const;

    std::string id_, proc_;
    int cores_;
    std::optional<Counted> last_;
};

}  // namespace strata::cpu
