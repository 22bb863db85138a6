#include "engine/parallel/placement_rules.h"

#include <algorithm>
#include <set>

#include "engine/core/text.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

int count_devices(const PlacementOptions& placement, const graph::Model& model) {
    if (!placement.devices.empty()) return static_cast<int>(placement.devices.size());
    std::set<std::string> named;
    for (const graph::LayerNode& node : model.layers) named.insert(node.device);
    return placement.replicas * static_cast<int>(named.size());
}

}  // namespace

PlacementOptions with_threads(PlacementOptions placement, const graph::Model& model, int sharing) {
    if (sharing <= 1 || placement.threads > 0) return placement;
    const auto cores = static_cast<int>(usable_cores().size());
    placement.threads =
        std::max(1, cores / (sharing * std::max(count_devices(placement, model), 1)));
    return placement;
}

std::string unused_limits(const PlacementOptions& placement, std::span<const std::string> used) {
    std::string names;
    for (const auto& [device, bytes] : placement.memory_limits)
        if (!device.empty() && std::find(used.begin(), used.end(), device) == used.end())
            names += (names.empty() ? "" : ", ") + device;
    if (names.empty()) return {};
    return "placement.memory_limit has no effect on " + names +
           ": this placement uses other devices";
}

std::string empty_micro_batches(const PlacementOptions& placement, std::int64_t batch_size) {
    const std::int64_t empty = placement.micro_batches - batch_size;
    if (empty <= 0) return {};
    return grouped(empty) + " of " +
           counted(placement.micro_batches, "micro-batch", "micro-batches") +
           " are empty: a batch has " + counted(batch_size, "sample");
}

Error at_its_name(const Error& error, const graph::Model& model,
                  const PlacementOptions& placement) {
    const std::string& device = error.where();
    if (error.code() != ErrorCode::not_found || device.find(':') == std::string::npos) return error;
    const auto told = [&](const std::string& key) {
        return Error(error.code(), error.message(), key, error.hint());
    };
    if (std::find(placement.devices.begin(), placement.devices.end(), device) !=
        placement.devices.end())
        return told("placement.devices");
    for (const graph::LayerNode& node : model.layers)
        if (node.device == device) return told("model.layers." + node.name + ".device");
    if (placement.replicas == 1) return error;
    return {error.code(), error.message(), "placement.replicas",
            "Use fewer replicas, or name the devices of all of them in placement.devices"};
}

std::string_view device_kind(std::string_view device) {
    return device.substr(0, device.find(':'));
}

void require_each_once(const std::vector<std::string>& devices, const std::string& where,
                       const std::string& hint) {
    for (auto device = devices.begin(); device != devices.end(); ++device)
        if (std::find(devices.begin(), device, *device) != device)
            throw Error(ErrorCode::invalid_argument, "'" + *device + "' is named twice", where,
                        hint);
}

std::vector<std::string> devices_of_replicas(const std::vector<std::string>& first, int replicas) {
    const auto number_of = [](const std::string& device) {
        return std::stoi(device.substr(device.find(':') + 1));
    };
    int most = 0;
    for (const std::string& device : first) most = std::max(most, number_of(device));
    std::vector<std::string> devices = first;
    for (int r = 1; r < replicas; ++r)
        for (const std::string& device : first)
            devices.push_back(device.substr(0, device.find(':') + 1) +
                              std::to_string(number_of(device) + r * (most + 1)));
    return devices;
}

}  // namespace strata::parallel
