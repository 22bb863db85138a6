#include "engine/train/own_gpus.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/graph/runtime.h"
#include "engine/parallel/placement_rules.h"
#include "engine/parallel/stages.h"

namespace strata::train {
namespace {

constexpr std::string_view prefix = "cuda:";

// -1: no GPU.
int number_of(const std::string& device) {
    return device.starts_with(prefix) ? std::stoi(device.substr(prefix.size())) : -1;
}

}  // namespace

int available_gpus() {
    const auto devices = graph::runtime().devices();
    return static_cast<int>(std::count_if(devices.begin(), devices.end(), [](const auto& device) {
        return device.available && number_of(device.id) >= 0;
    }));
}

void take_own_gpus(graph::Model& model, parallel::PlacementOptions& placement, World::OnHost place,
                   int available) {
    std::vector<std::string> devices = placement.devices;
    if (devices.empty())
        devices = parallel::devices_of_replicas(
            parallel::find_stages(model, graph::require_valid(model)).devices, placement.replicas);
    int needed = 0;
    for (const std::string& device : devices) needed = std::max(needed, number_of(device) + 1);
    if (needed == 0 || place.count == 1 || available == needed) return;
    if (available < needed * place.count)
        throw Error(ErrorCode::not_found,
                    "this machine has " + counted(available, "GPU") + " for " +
                        counted(place.count, "process", "processes") + " that need " +
                        std::to_string(needed) + " each",
                    "placement", "Start fewer processes on this machine, or place layers on cpu:0");
    const auto moved = [&](std::string& device) {
        if (const int number = number_of(device); number >= 0)
            device = std::string(prefix) + std::to_string(number + place.number * needed);
    };
    for (graph::LayerNode& node : model.layers) moved(node.device);
    for (std::string& device : devices) moved(device);
    placement.devices = std::move(devices);
    std::map<std::string, std::size_t> limits;
    for (const auto& [name, limit] : placement.memory_limits) {
        std::string device = name;
        moved(device);
        limits[device] = limit;
    }
    placement.memory_limits = std::move(limits);
}

}  // namespace strata::train
