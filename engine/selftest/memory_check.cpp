// Memory of the device: what is refused and how, what a model holds, and that all comes back.
#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/graph/runtime.h"
#include "engine/selftest/cases.h"
#include "engine/selftest/checks.h"

namespace strata::selftest {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

std::string mib_text(std::size_t bytes) {
    return std::to_string((bytes + mib - 1) / mib) + " MiB";
}

// The message of what a device refuses; nothing where it does not.
std::optional<Error> refusal(device::Device& device, std::size_t bytes) {
    try {
        device.release(device.allocate(bytes));
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

std::unique_ptr<device::Device> open(const std::string& id, std::size_t limit) {
    device::DeviceOptions options;
    options.memory_limit = limit;
    return graph::runtime().open(id, options);
}

void limits_itself(Line& line, const std::string& id) {
    constexpr std::size_t limit = 64 * mib;
    const auto device = open(id, limit);
    void* held = device->allocate(40 * mib);
    const auto second = refusal(*device, 40 * mib);
    device->release(held);
    if (!second) return fail(line, "80 MiB were given where the limit is 64 MiB");
    if (refusal(*device, limit)) return fail(line, "what was released is not given again");
    line.measured = "40 and then 64 of " + mib_text(limit);
}

void refuses_in_words(Line& line, const std::string& id) {
    const auto device = open(id, 0);
    const std::size_t memory = device->info().memory;
    if (memory == 0) {
        line.outcome = Outcome::told;
        line.measured = "the device does not tell its memory";
        return;
    }
    const auto error = refusal(*device, 2 * memory);
    if (!error) return fail(line, "twice the device's memory was given");
    line.measured = error->message();
    if (error->code() != ErrorCode::out_of_memory || error->where() != id ||
        error->message().find("MiB") == std::string::npos || error->hint().empty())
        fail(line, std::string("it is refused, but not in words that help: ") + error->what());
}

// The planner's figure, byte for byte: with one alignment step less it cannot run.
void holds_what_was_planned(Line& line, const std::string& id) {
    const Case largest = cases_of(recipes().back(), "float32").front();
    graph::ExecutorOptions options;
    options.device = id;
    options.batch = 64;
    const device::MemoryBudget planned =
        graph::predict_memory(largest.model, &largest.setup, options);
    options.device_options.memory_limit = planned.total();
    {
        const graph::Executor executor(largest.model, &largest.setup, options);
        line.measured = std::to_string(executor.memory().total()) + " bytes, planned " +
                        std::to_string(planned.total());
        if (!(executor.memory() == planned))
            return fail(line, "the model holds another amount than was planned");
    }
    options.device_options.memory_limit = planned.total() - device::alignment;
    try {
        const graph::Executor executor(largest.model, &largest.setup, options);
        fail(line, "it runs in less memory than was planned");
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
    }
}

// By the driver's figures. Others use the device, too: what would be kept is several times as much
// as may be missing.
void gives_back(Line& line, const std::string& id) {
    const auto device = open(id, 0);
    const std::size_t memory = device->info().memory;
    constexpr std::size_t times = 16;
    const std::size_t block = memory > 0 ? std::clamp(memory / 64, mib, 512 * mib) : 16 * mib;
    const auto monitor = graph::runtime().monitor(id);
    const auto used = [&]() -> std::optional<std::size_t> {
        if (!monitor) return std::nullopt;
        const device::Reading reading = monitor->read();
        return reading.program_bytes ? reading.program_bytes : reading.used_bytes;
    };
    const auto before = used();
    for (std::size_t i = 0; i < times; ++i) {
        void* held = device->allocate(block);
        device->fill_zero(held, block);
        device->synchronize();
        device->release(held);
    }
    const auto after = used();
    line.measured = mib_text(times * block) + " in " + std::to_string(times) + " parts";
    if (!before || !after) return;
    line.figures = {{"used_before", static_cast<double>(*before)},
                    {"used_after", static_cast<double>(*after)}};
    if (*after > *before + times * block / 2)
        fail(line, mib_text(*after - *before) + " more are in use than before");
}

}  // namespace

void check_memory(const Teller& teller) {
    const struct {
        const char* what;
        void (*check)(Line&, const std::string&);
    } checks[] = {{"a limit is kept, memory reused", limits_itself},
                  {"too much is refused in words", refuses_in_words},
                  {"a model holds what was planned", holds_what_was_planned},
                  {"everything is given back", gives_back}};
    for (const auto& each : checks)
        teller.line(each.what, "", [&](Line& line) { each.check(line, teller.device()); });
}

}  // namespace strata::selftest
