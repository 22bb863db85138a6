#include "engine/parallel/stages.h"

#include <algorithm>
#include <map>

#include "engine/core/error.h"

namespace strata::parallel {
namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

bool names_a_device(const std::string& device) {
    const std::size_t colon = device.find(':');
    const std::string kind = device.substr(0, colon);
    if (colon == std::string::npos || (kind != "cpu" && kind != "cuda")) return false;
    const std::string number = device.substr(colon + 1);
    return !number.empty() && number.size() <= 4 &&
           std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Changes of device on the way from the input to each layer, where there are most.
std::vector<int> changes_before(const graph::Model& model, const graph::ModelReport& report) {
    std::vector<int> changes(model.layers.size(), 0);
    for (int layer : report.order)
        for (const std::string& input : model.layers[at(layer)].inputs) {
            const int source = model.index_of(input);
            const bool moves = model.layers[at(source)].device != model.layers[at(layer)].device;
            changes[at(layer)] =
                std::max(changes[at(layer)], changes[at(source)] + (moves ? 1 : 0));
        }
    return changes;
}

}  // namespace

bool runs_on_one_device(const graph::Model& model, const PlacementOptions& placement) {
    return placement.replicas == 1 && placement.micro_batches == 1 &&
           placement.devices.size() <= 1 &&
           std::all_of(model.layers.begin(), model.layers.end(), [&](const graph::LayerNode& node) {
               return node.device == model.layers.front().device;
           });
}

void require_device_name(const std::string& device, const std::string& where) {
    if (!names_a_device(device))
        throw Error(ErrorCode::invalid_argument, "there is no device '" + device + "'", where,
                    "Name devices as cpu:0, cpu:1 or cuda:0");
}

Stages find_stages(const graph::Model& model, const graph::ModelReport& report) {
    for (const graph::LayerNode& node : model.layers)
        require_device_name(node.device, "model.layers." + node.name + ".device");
    Stages stages;
    const std::vector<int> changes = changes_before(model, report);
    std::map<std::pair<int, int>, std::vector<int>> groups;  // by changes, then by device
    for (int layer : report.order) {
        const std::string& device = model.layers[at(layer)].device;
        auto known = std::find(stages.devices.begin(), stages.devices.end(), device);
        if (known == stages.devices.end())
            known = stages.devices.insert(stages.devices.end(), device);
        const auto number = static_cast<int>(known - stages.devices.begin());
        groups[{changes[at(layer)], number}].push_back(layer);
    }
    stages.of_layer.resize(model.layers.size());
    for (auto& [key, layers] : groups) {
        for (int layer : layers) stages.of_layer[at(layer)] = stages.graph.stages();
        stages.graph.device.push_back(key.second);
        stages.layers.push_back(std::move(layers));
    }
    stages.graph.reads.resize(stages.layers.size());
    for (int layer : report.order)
        for (const std::string& input : model.layers[at(layer)].inputs) {
            const int source = stages.of_layer[at(model.index_of(input))];
            const int stage = stages.of_layer[at(layer)];
            std::vector<int>& reads = stages.graph.reads[at(stage)];
            if (source != stage && std::find(reads.begin(), reads.end(), source) == reads.end())
                reads.insert(std::upper_bound(reads.begin(), reads.end(), source), source);
        }
    stages.input = stages.of_layer[at(report.input)];
    stages.output = stages.of_layer[at(report.output)];
    return stages;
}

}  // namespace strata::parallel
