#include "engine/backends/cpu/monitor.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

namespace strata::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kib = 1024;

// Bytes by the name that /proc/meminfo has for them.
std::optional<std::size_t> memory_named(const std::string& proc, const std::string& name) {
    std::ifstream file(proc + "/meminfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(name + ":")) continue;
        std::istringstream rest(line.substr(name.size() + 1));
        std::size_t amount = 0;
        if (rest >> amount) return amount * kib;
    }
    return std::nullopt;
}

std::optional<CpuTime> time_in(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    return cpu_time_of(line);
}

double ticks_per_second() {
    const long ticks = sysconf(_SC_CLK_TCK);
    return ticks > 0 ? static_cast<double>(ticks) : 100.0;
}

}  // namespace

std::optional<CpuTime> cpu_time_of(const std::string& stat_line) {
    // The name stands in brackets and may hold any of them.
    const std::size_t open = stat_line.find('('), close = stat_line.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
        return std::nullopt;
    CpuTime time;
    time.name = stat_line.substr(open + 1, close - open - 1);
    std::istringstream fields(stat_line.substr(close + 1));
    std::string skipped;
    constexpr int before_times = 11;  // state, parents, faults
    for (int i = 0; i < before_times; ++i) fields >> skipped;
    std::uint64_t user = 0, system = 0;
    if (!(fields >> user >> system)) return std::nullopt;
    time.ticks = user + system;
    return time;
}

CpuMonitor::CpuMonitor(std::string id, int cores, std::string proc)
    : id_(std::move(id)), proc_(std::move(proc)), cores_(std::max(cores, 1)) {}

device::Reading CpuMonitor::read() noexcept try {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return read_at(std::chrono::duration<double>(now).count());
} catch (...) {  // no memory for a line of a file
    return {};
}

device::Reading CpuMonitor::read_at(double now) {
    device::Reading reading;
    read_memory(reading);
    Counted counted = count(now);
    reading.scope = counted.own.empty() ? device::LoadScope::process : device::LoadScope::threads;
    if (last_) compare(*last_, counted, reading);
    last_ = std::move(counted);
    return reading;
}

void CpuMonitor::read_memory(device::Reading& reading) const {
    const auto total = memory_named(proc_, "MemTotal");
    const auto available = memory_named(proc_, "MemAvailable");
    if (total && available && *available <= *total) {
        reading.used_bytes = *total - *available;
        reading.free_bytes = *available;
    }
    std::ifstream file(proc_ + "/self/statm");
    std::size_t size = 0, resident = 0;
    if (file >> size >> resident)
        reading.program_bytes = resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

CpuMonitor::Counted CpuMonitor::count(double now) const {
    Counted counted;
    counted.time = now;
    if (const auto process = time_in(proc_ + "/self/stat")) counted.process = process->ticks;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(proc_ + "/self/task", ignored)) {
        const auto time = time_in(entry.path().string() + "/stat");
        if (time && time->name == id_)
            counted.own.push_back({entry.path().filename().string(), time->ticks});
    }
    return counted;
}

void CpuMonitor::compare(const Counted& before, const Counted& after,
                         device::Reading& reading) const {
    const double ticks_between = (after.time - before.time) * ticks_per_second();
    if (ticks_between <= 0.0) return;
    std::uint64_t worked = 0;
    double cores = cores_;
    if (after.own.empty()) {
        if (after.process == 0 || after.process < before.process) return;
        worked = after.process - before.process;
    } else {
        // A thread that is new since has done all its work since.
        for (const Thread& thread : after.own) {
            const auto known =
                std::find_if(before.own.begin(), before.own.end(),
                             [&](const Thread& each) { return each.id == thread.id; });
            const std::uint64_t from = known == before.own.end() ? 0 : known->ticks;
            if (thread.ticks > from) worked += thread.ticks - from;
        }
        cores = std::min(cores, static_cast<double>(after.own.size()));
    }
    reading.utilisation =
        std::clamp(static_cast<double>(worked) / (ticks_between * cores), 0.0, 1.0);
}

}  // namespace strata::cpu
