// `strata plan`: what a project will need and take on its devices, and better places for its
// layers.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/plan_tables.h"
#include "app/cli/project_options.h"
#include "engine/core/error.h"
#include "engine/graph/runtime.h"
#include "engine/parallel/auto_placement.h"
#include "engine/parallel/workers.h"
#include "engine/train/plan_request.h"

namespace strata::cli {
namespace {

struct Options {
    std::string project, devices, out;
    std::vector<std::string> overrides;
    int replicas = 0, stages = 0, micro_batches = 0;
    bool automatic = false, json = false, force = false;

    // Whether it looks for a placement; else it plans the project's own.
    bool chooses() const {
        return automatic || !devices.empty() || replicas > 0 || stages > 0 || micro_batches > 0;
    }
};

// Missing data change no more than the sizes of short batches.
std::optional<train::DataSize> known_data(const train::RunConfig& config, std::string& note) {
    try {
        return train::data_size(config);
    } catch (const Error& error) {
        note = "The data could not be opened (" + error.where() + ": " + error.message() +
               "): planned for full batches of bytes";
        return std::nullopt;
    }
}

bool is_number(const std::string& text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> first_devices(int count) {
    std::vector<std::string> devices;
    devices.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) devices.push_back("cpu:" + std::to_string(i));
    return devices;
}

// "cpu:0, cpu:2"
std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::size_t first = std::min(text.find_first_not_of(' ', begin), end);
        std::size_t last = end;
        while (last > first && text[last - 1] == ' ') --last;
        names.push_back(text.substr(first, last - first));
        begin = end + 1;
    }
    return names;
}

// "4" or "cpu:0,cpu:2"; without the option those that the project names or uses, or the machine's
// cores.
std::vector<std::string> devices_for(const Options& options, const parallel::PlanRequest& request) {
    std::vector<std::string> devices = request.placement.devices;
    if (options.devices.empty()) {
        if (devices.size() > 1) return devices;
        devices.clear();
        const parallel::PlanDetail structure{.time = false, .warnings = false};
        const parallel::PlacementPlan plan = parallel::plan_placement(request, structure);
        for (const parallel::DevicePlan& device : plan.devices) devices.push_back(device.device);
        return devices.size() > 1
                   ? devices
                   : first_devices(std::max(
                         1, static_cast<int>(parallel::usable_cores().size()) / request.sharing));
    }
    if (is_number(options.devices)) return first_devices(std::stoi(options.devices));
    return split(options.devices);
}

std::string fault_of_devices(const std::string& text) {
    constexpr int most = 64;
    if (is_number(text))
        return text.size() <= 2 && std::stoi(text) >= 1 && std::stoi(text) <= most
                   ? std::string()
                   : "a number of devices is between 1 and " + std::to_string(most);
    for (const std::string& device : split(text)) {
        const std::size_t colon = device.find(':');
        if (colon == std::string::npos || colon == 0 || !is_number(device.substr(colon + 1)))
            return "'" + device + "' is no device; write a number, or cpu:0,cpu:1";
    }
    return "";
}

train::RunConfig with_placement(train::RunConfig config, const parallel::PlanRequest& request) {
    for (graph::LayerNode& node : config.model.layers)
        node.device = request.model.layer(node.name).device;
    config.placement = request.placement;
    return config;
}

void write_project(const train::RunConfig& config, const std::string& path, bool force) {
    namespace fs = std::filesystem;
    require_new_file(path, force);
    const fs::path folder = fs::absolute(path).parent_path();
    std::error_code ignored;
    // Relative paths of data are those of the project's folder.
    if (fs::exists(folder, ignored) && !fs::equivalent(folder, config.base, ignored))
        throw Error(ErrorCode::invalid_argument, "lies in another folder than the project", path,
                    "Write it beside the project: its data are named from there");
    train::save_project(config, path);
}

bool fits(const parallel::PlacementPlan& plan) {
    return std::none_of(plan.warnings.begin(), plan.warnings.end(),
                        [](const parallel::PlanWarning& w) { return w.too_much > 0; });
}

// A device that --devices names has no key in the project at which its fault could be told.
parallel::AutoPlacement choose(const Options& options, const parallel::PlanRequest& request) {
    const std::vector<std::string> devices = devices_for(options, request);
    try {
        if (!options.devices.empty())
            for (const std::string& device : devices) graph::runtime().open(device, {});
        return parallel::place_automatically(
            request, {devices, options.replicas, options.stages, options.micro_batches});
    } catch (const Error& error) {
        const bool of_the_list =
            error.where() == "devices" ||
            std::find(devices.begin(), devices.end(), error.where()) != devices.end();
        if (options.devices.empty() || !of_the_list) throw;
        throw Error(error.code(), error.message(), "--devices", error.hint());
    }
}

int plan_project(const Options& options) {
    train::RunConfig config = read_project(options.project, options.overrides);
    std::string note;
    const std::optional<train::DataSize> data = known_data(config, note);
    const parallel::PlanRequest request = train::plan_request(config, data);
    parallel::AutoPlacement chosen;
    if (options.chooses()) {
        chosen = choose(options, request);
        config = with_placement(std::move(config), chosen.request);
    }
    chosen.request = train::plan_request(config, data);
    chosen.plan = parallel::plan_placement(chosen.request);
    if (!options.out.empty()) write_project(config, options.out, options.force);
    if (options.json)
        std::puts(plan_json(config.name, chosen, note)
                      .dump(-1, ' ', false, Json::error_handler_t::replace)
                      .c_str());
    else
        print_plan(config.name, chosen, note, options.out);
    if (fits(chosen.plan)) return exit_ok;
    std::fflush(stdout);
    std::fprintf(stderr, "strata: %s: the project does not fit into the memory of its devices\n",
                 options.project.c_str());
    return exit_failed;
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "plan", "Memory, time and transfers of a project on its devices, before it runs");
    command->add_option("PROJECT", options->project, "Project file (.strata)")->required();
    command
        ->add_option("--set", options->overrides,
                     "Change a key of the project for this plan: placement.replicas=2")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->check(fault_of_assignment);
    command
        ->add_option("--devices", options->devices,
                     "Choose replicas, stages and micro-batches for so many CPU devices, or for "
                     "these: cpu:0,cpu:1")
        ->type_name("N|LIST")
        ->check(fault_of_devices);
    command->add_flag(
        "--auto", options->automatic,
        "The same for the project's own devices, or one a core (of a process's share)");
    command->add_option("--replicas", options->replicas, "Choose with so many replicas")
        ->check(CLI::Range(1, 64));
    command->add_option("--stages", options->stages, "Choose with so many devices a replica")
        ->check(CLI::Range(1, 64));
    command
        ->add_option("--micro-batches", options->micro_batches, "Choose with so many micro-batches")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--json", options->json, "Print one JSON object");
    command->add_option("--write", options->out,
                        "Write the project with the chosen placement to this file, beside it");
    command->add_flag("--force", options->force, "Replace that file where it exists");
    command->footer(
        "Examples:\n"
        "  strata plan fashion.strata\n"
        "  strata plan fashion.strata --set placement.replicas=2\n"
        "  strata plan fashion.strata --devices 4 --write placed.strata\n"
        "  strata plan fashion.strata --devices cpu:0,cpu:1 --replicas 1 --stages 2\n"
        "Times are predicted from a short measurement of this machine. It ends with 1 where the\n"
        "project does not fit into the memory of its devices.");
    command->callback(
        [options, &action] { action = [options] { return plan_project(*options); }; });
}

}  // namespace strata::cli
