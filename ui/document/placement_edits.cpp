#include "ui/document/placement_edits.h"

#include <algorithm>
#include <charconv>

#include "engine/parallel/placement_rules.h"

namespace strata::ui {
namespace {

std::string kindOf(const std::string& device) {
    return device.substr(0, device.find(':'));
}

int numberOf(const std::string& device) {
    int number = 0;
    if (const std::size_t colon = device.find(':'); colon != std::string::npos)
        std::from_chars(device.data() + colon + 1, device.data() + device.size(), number);
    return number;
}

// Of the kind of the first layer's.
std::string numbered(const graph::Model& model, int number) {
    const std::string kind = model.layers.empty() ? "cpu" : kindOf(model.layers.front().device);
    return kind + ":" + std::to_string(number);
}

}  // namespace

std::vector<std::string> devicesOf(const graph::Model& model) {
    std::vector<std::string> devices;
    for (const graph::LayerNode& node : model.layers) devices.push_back(node.device);
    std::sort(devices.begin(), devices.end(), [](const std::string& a, const std::string& b) {
        const std::string kind = kindOf(a), other = kindOf(b);
        return kind != other ? kind < other : numberOf(a) < numberOf(b);
    });
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    return devices;
}

std::string nextDevice(const graph::Model& model) {
    const std::vector<std::string> used = devicesOf(model);
    for (int i = 0;; ++i) {
        std::string device = numbered(model, i);
        if (std::find(used.begin(), used.end(), device) == used.end()) return device;
    }
}

bool isOfCopy(const train::RunConfig& config, const std::string& device) {
    const std::vector<std::string> first = devicesOf(config.model);
    if (config.placement.replicas < 2 || std::ranges::find(first, device) != first.end())
        return false;
    const std::vector<std::string>& named = config.placement.devices;
    if (!named.empty()) return std::ranges::find(named, device) != named.end();
    for (const std::string& each : first)
        if (each.find(':') == std::string::npos) return false;  // a fault, which is told
    const std::vector<std::string> all =
        parallel::devices_of_replicas(first, config.placement.replicas);
    return std::ranges::find(all, device) != all.end();
}

std::vector<std::string> firstDevices(const graph::Model& model, int count) {
    std::vector<std::string> devices(static_cast<std::size_t>(std::max(count, 0)));
    for (std::size_t i = 0; i < devices.size(); ++i)
        devices[i] = numbered(model, static_cast<int>(i));
    return devices;
}

void placeLayers(train::RunConfig& config, const std::vector<std::string>& names,
                 const std::string& device) {
    const std::vector<std::string> before = devicesOf(config.model);
    for (graph::LayerNode& node : config.model.layers)
        if (std::find(names.begin(), names.end(), node.name) != names.end()) node.device = device;
    if (devicesOf(config.model) != before) config.placement.devices.clear();
}

}  // namespace strata::ui
