#include "engine/train/rank_devices.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "engine/train/event_json.h"

namespace strata::train {
namespace {

// A reading as numbers of which the ranks take the largest: each writes its own, and `absent`
// elsewhere.
constexpr double absent = std::numeric_limits<double>::lowest();
constexpr std::size_t numbers_a_reading = 8;
using Numbers = std::array<double, numbers_a_reading>;

double number_of(const std::optional<std::size_t>& bytes) {
    return bytes ? static_cast<double>(*bytes) : absent;
}

Numbers numbers_of(const device::Reading& reading) {
    return {static_cast<double>(reading.scope),   number_of(reading.used_bytes),
            number_of(reading.free_bytes),        number_of(reading.program_bytes),
            reading.utilisation.value_or(absent), reading.temperature.value_or(absent),
            reading.power.value_or(absent),       reading.power_limit.value_or(absent)};
}

std::optional<double> figure_of(double number) {
    return number == absent ? std::nullopt : std::optional(number);
}

std::optional<std::size_t> bytes_of(double number) {
    return number == absent ? std::nullopt : std::optional(static_cast<std::size_t>(number));
}

device::Reading reading_of(const double* numbers) {
    device::Reading reading;
    reading.scope = static_cast<device::LoadScope>(numbers[0]);
    reading.used_bytes = bytes_of(numbers[1]);
    reading.free_bytes = bytes_of(numbers[2]);
    reading.program_bytes = bytes_of(numbers[3]);
    reading.utilisation = figure_of(numbers[4]);
    reading.temperature = figure_of(numbers[5]);
    reading.power = figure_of(numbers[6]);
    reading.power_limit = figure_of(numbers[7]);
    return reading;
}

}  // namespace

std::string device_of_rank(int rank, const std::string& device) {
    return "rank" + std::to_string(rank) + "/" + device;
}

void join_devices(PlanEvent& plan, World& world) {
    if (world.size() == 1) return;
    const std::vector<std::string> texts = world.texts(event_json(plan, {}).dump());
    plan.devices.clear();
    plan.memory = {};
    plan.memory_limit = 0;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        const std::optional<Event> read = EventReader().read_line(texts[rank]);
        for (PlanEvent::Device device : std::get<PlanEvent>(read.value()).devices) {
            device.name = device_of_rank(static_cast<int>(rank), device.name);
            for (std::size_t i = 0; i < device::category_count; ++i)
                plan.memory.bytes[i] += device.memory.bytes[i];
            plan.devices.push_back(std::move(device));
        }
    }
}

MonitorEvent join_readings(const MonitorEvent& own, const std::vector<std::string>& names,
                           World& world) {
    std::vector<double> numbers(names.size() * numbers_a_reading, absent);
    for (const MonitorEvent::Device& device : own.devices) {
        const auto found =
            std::find(names.begin(), names.end(), device_of_rank(world.rank(), device.name));
        if (found == names.end()) continue;
        const Numbers told = numbers_of(device.reading);
        std::copy(told.begin(), told.end(),
                  numbers.begin() +
                      (found - names.begin()) * static_cast<std::ptrdiff_t>(numbers_a_reading));
    }
    world.largest(numbers);
    MonitorEvent all;
    all.wall_time = own.wall_time;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const double* of = numbers.data() + i * numbers_a_reading; *of != absent)
            all.devices.push_back({names[i], reading_of(of)});
    return all;
}

}  // namespace strata::train
