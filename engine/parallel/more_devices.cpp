#include "engine/parallel/more_devices.h"

#include <algorithm>
#include <string>

#include "engine/core/error.h"

namespace strata::parallel {
namespace {

struct Kind {
    std::string prefix;  // "cpu:"; "": of two kinds
    int largest = -1;    // number
};

Kind kind_of(const std::vector<std::string>& devices) {
    Kind kind;
    for (const std::string& device : devices) {
        const std::size_t digits = device.find(':') + 1;
        if (digits == 0) return {};
        if (kind.prefix.empty()) kind.prefix = device.substr(0, digits);
        if (!device.starts_with(kind.prefix)) return {};
        kind.largest = std::max(kind.largest, std::stoi(device.substr(digits)));
    }
    return kind;
}

}  // namespace

std::optional<AutoPlacement> place_on_more_devices(const PlanRequest& request,
                                                   AutoOptions options) {
    Kind kind = kind_of(options.devices);
    if (kind.prefix.empty()) return std::nullopt;
    options.replicas = std::max(options.replicas, 1);
    options.suggests = false;
    const auto layers = static_cast<int>(request.model.layers.size());
    const auto stages = static_cast<int>(options.devices.size()) / options.replicas + 1;
    for (options.stages = stages; options.stages <= std::min(layers, most_stages);
         ++options.stages) {
        const auto wanted = static_cast<std::size_t>(options.stages * options.replicas);
        while (options.devices.size() < wanted)
            options.devices.push_back(kind.prefix + std::to_string(++kind.largest));
        try {
            return place_automatically(request, options);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::not_found) return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace strata::parallel
