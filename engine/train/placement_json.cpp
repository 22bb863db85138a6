#include "engine/train/placement_json.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/train/project_keys.h"

namespace strata::train {
namespace {

constexpr const char* where = "placement";
constexpr int most_threads = 1024, most_replicas = 64, most_micro_batches = 1024,
              most_ranks = 1 << 20;
constexpr std::int64_t most_bytes = std::int64_t{1} << 50;

// Bytes for each device, or {"cpu:1": bytes}.
std::map<std::string, std::size_t> read_memory_limits(const Json& section) {
    std::map<std::string, std::size_t> limits;
    const auto it = section.find("memory_limit");
    if (it == section.end() || it->is_null()) return limits;
    const std::string here = std::string(where) + ".memory_limit";
    const auto bytes = [](const Json& object, const std::string& key, const std::string& of) {
        return static_cast<std::size_t>(
            get_integer_between(object, key.c_str(), 0, 1, of, most_bytes));
    };
    if (!it->is_object()) {
        limits[""] = bytes(section, "memory_limit", where);
        return limits;
    }
    for (const auto& [device, limit] : it->items()) {
        if (!device.starts_with("cpu:") && !device.starts_with("cuda:"))
            throw Error(ErrorCode::invalid_argument, "there is no device '" + device + "'", here,
                        "Name devices as cpu:0 or cuda:0, or set one number for each");
        limits[device] = bytes(*it, device, here);
    }
    return limits;
}

}  // namespace

parallel::PlacementOptions read_placement(const Json& section) {
    refuse_unknown_keys(section,
                        {"threads", "replicas", "devices", "schedule", "micro_batches",
                         "memory_limit", "ranks", "sharded_optimizer"},
                        where);
    parallel::PlacementOptions placement;
    const auto number = [&](const char* key, int least, int most, int otherwise) {
        return static_cast<int>(get_integer_between(section, key, otherwise, least, where, most));
    };
    placement.threads = number("threads", 0, most_threads, placement.threads);
    placement.replicas = number("replicas", 1, most_replicas, placement.replicas);
    if (section.contains("ranks")) placement.ranks = number("ranks", 1, most_ranks, 1);
    placement.micro_batches =
        number("micro_batches", 1, most_micro_batches, placement.micro_batches);
    if (section.contains("schedule"))
        placement.schedule = parallel::schedule_kind(get_string(section, "schedule", "", where),
                                                     std::string(where) + ".schedule");
    placement.sharded_optimizer =
        get_bool(section, "sharded_optimizer", placement.sharded_optimizer, where);
    placement.memory_limits = read_memory_limits(section);
    if (!section.contains("devices")) return placement;
    const Json& devices = section.at("devices");
    const bool texts =
        devices.is_array() &&
        std::all_of(devices.begin(), devices.end(), [](const Json& d) { return d.is_string(); });
    if (!texts)
        throw Error(ErrorCode::invalid_argument, "is no list of devices",
                    std::string(where) + ".devices", "For example [\"cpu:0\", \"cpu:1\"]");
    placement.devices = devices.get<std::vector<std::string>>();
    return placement;
}

Json placement_to_json(const parallel::PlacementOptions& placement) {
    const parallel::PlacementOptions usual;
    Json json = Json::object();
    if (placement.threads != usual.threads) json["threads"] = placement.threads;
    if (placement.replicas != usual.replicas) json["replicas"] = placement.replicas;
    if (placement.ranks != usual.ranks) json["ranks"] = placement.ranks;
    if (!placement.devices.empty()) json["devices"] = placement.devices;
    if (placement.schedule != usual.schedule)
        json["schedule"] = parallel::name_of(placement.schedule);
    if (placement.micro_batches != usual.micro_batches)
        json["micro_batches"] = placement.micro_batches;
    if (placement.sharded_optimizer != usual.sharded_optimizer)
        json["sharded_optimizer"] = placement.sharded_optimizer;
    if (const auto& limits = placement.memory_limits; limits.size() == 1 && limits.contains(""))
        json["memory_limit"] = limits.at("");
    else if (!limits.empty())
        json["memory_limit"] = limits;
    return json;
}

}  // namespace strata::train
