// `strata devices`: what this machine has, how it stands, and whether it computes what it should.
#include <cmath>
#include <cstdio>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/self_test.h"
#include "app/cli/table.h"
#include "engine/backends/cpu/backend.h"
#include "engine/core/json.h"
#include "engine/core/text.h"
#include "engine/graph/runtime.h"
#include "engine/io/file.h"
#include "engine/parallel/workers.h"
#include "engine/train/event_json.h"

namespace strata::cli {
namespace {

constexpr const char* unknown = "–";

struct Listed {
    device::DeviceInfo info;
    device::Reading reading;
};

std::vector<Listed> listed() {
    std::vector<Listed> all;
    for (device::DeviceInfo& info : graph::runtime().devices()) {
        Listed each{std::move(info), {}};
        const auto monitor = each.info.available ? graph::runtime().monitor(each.info.id) : nullptr;
        if (monitor) each.reading = monitor->read();
        all.push_back(std::move(each));
    }
    return all;
}

std::string bytes_text(std::optional<std::size_t> bytes) {
    return bytes ? io::byte_text(*bytes) : unknown;
}

std::string figure_text(std::optional<double> value, const char* unit, double scale = 1.0) {
    return value ? std::to_string(std::lround(*value * scale)) + unit : unknown;
}

// The CPU is as many devices as are wanted: one row stands for those of one core each. Of figures
// that no device tells there is no column.
int list_devices() {
    const auto cores = static_cast<int>(parallel::usable_cores().size());
    const std::vector<Listed> all = listed();
    bool works = false, warms = false;
    for (const Listed& each : all) {
        works = works || each.reading.utilisation;
        warms = warms || each.reading.temperature || each.reading.power;
    }
    std::vector<std::string> header{"Device", "Memory", "In use", "Free"};
    if (works) header.emplace_back("Busy");
    if (warms) header.insert(header.end(), {"Temp.", "Power"});
    std::vector<bool> right(header.size(), true);
    right[0] = false;
    Table table(std::move(header), std::move(right));
    for (const auto& [info, reading] : all) {
        const bool divides = info.id == "cpu:0" && cores > 1;
        std::vector<std::string> row{
            divides ? info.id + " to cpu:" + std::to_string(cores - 1) : info.id,
            info.available && info.memory > 0 ? io::byte_text(info.memory) : unknown,
            bytes_text(reading.used_bytes), bytes_text(reading.free_bytes)};
        if (works) row.push_back(figure_text(reading.utilisation, " %", 100.0));
        if (warms) {
            row.push_back(figure_text(reading.temperature, " °C"));
            row.push_back(figure_text(reading.power, " W"));
        }
        table.row(std::move(row));
    }
    std::printf("%s\n", table.text().c_str());
    for (const auto& [info, reading] : all)
        print_wrapped(info.id + "  ",
                      info.available ? info.description : "not available: " + info.reason);
    std::puts("");
    print_wrapped("", "CPU devices share the memory and divide the " + counted(cores, "core") +
                          " evenly, at least one thread each. A project may name cpu:0 to cpu:" +
                          std::to_string(cpu::most_devices - 1) + "; more than " +
                          std::to_string(cores) + " take turns on the cores.");
    std::puts("`strata devices --self-test` checks what a device computes.");
    return exit_ok;
}

int list_as_json() {
    Json all = Json::array();
    for (const auto& [info, reading] : listed()) {
        Json device{{"id", info.id}, {"available", info.available}};
        if (info.available) {
            device["description"] = info.description;
            if (info.memory > 0) device["memory_bytes"] = info.memory;
            device.update(train::reading_json(reading));
        } else {
            device["reason"] = info.reason;
        }
        all.push_back(std::move(device));
    }
    std::puts(Json{{"devices", std::move(all)}}.dump().c_str());
    return exit_ok;
}

struct Options {
    SelfTestOptions test;
    bool tests = false, json = false;
};

int run(const Options& options) {
    if (options.tests) return run_self_test(options.test, options.json);
    if (!options.test.devices.empty() || options.test.strict || !options.test.parts.empty())
        throw Error(ErrorCode::invalid_argument,
                    "takes devices, --only and --strict only with --self-test", "devices",
                    "Add --self-test, or leave them out: all devices are listed");
    return options.json ? list_as_json() : list_devices();
}

}  // namespace

void add_devices(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("devices", "Devices of this machine, and their self-test");
    command->add_flag("--self-test", options->tests,
                      "Check what devices compute, and how fast, beside the CPU");
    command->add_option("DEVICE", options->test.devices,
                        "To be tested: cuda:0; several also together. By default the first GPU, or "
                        "cpu:0 where there is none");
    command->add_option("--only", options->test.parts, "Parts of the self-test: " + part_names());
    command->add_flag("--strict", options->test.strict, "What is slower than wanted fails, too");
    command->add_flag("--json", options->json, "One JSON object (of the self-test: one a line)");
    command->footer(
        "Examples:\n"
        "  strata devices\n"
        "  strata devices --self-test cuda:0\n"
        "  strata devices --self-test cuda:0 cuda:1 --only copies together\n"
        "The self-test ends with code 0 where all passed, else with 1.");
    command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace strata::cli
