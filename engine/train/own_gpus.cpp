#include "engine/train/own_gpus.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/json.h"
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

Error same_gpu(int first, int second, const Gpu& gpu) {
    return {ErrorCode::invalid_argument,
            "ranks " + std::to_string(first) + " and " + std::to_string(second) +
                " have the same GPU, " + gpu.description.substr(0, gpu.description.find(',')),
            gpu.id,
            "Start one process for each GPU of a machine, or let the launcher show each process "
            "one of its own (srun --gpus-per-task=1)"};
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
    std::vector<std::string> devices = devices_of(model, placement);
    int needed = 0;
    for (const std::string& device : devices) needed = std::max(needed, number_of(device) + 1);
    // Where there is none, opening the device says why.
    if (needed == 0 || place.count == 1 || available == needed || available == 0) return;
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

std::vector<std::string> devices_of(const graph::Model& model,
                                    const parallel::PlacementOptions& placement) {
    if (!placement.devices.empty()) return placement.devices;
    return parallel::devices_of_replicas(
        parallel::find_stages(model, graph::require_valid(model)).devices, placement.replicas);
}

std::vector<Gpu> gpus_of(const std::vector<std::string>& devices) {
    std::vector<Gpu> gpus;
    for (const std::string& id : devices)
        if (number_of(id) >= 0) gpus.push_back({id, ""});
    if (gpus.empty()) return gpus;
    const auto known = graph::runtime().devices();
    for (Gpu& gpu : gpus)
        for (const auto& info : known)
            if (info.id == gpu.id) gpu.description = info.description;
    return gpus;
}

// Lists of other lengths are found out where they are read.
void require_same_kinds(World& world, const std::vector<std::string>& own) {
    std::vector<std::vector<std::string>> all;
    for (const std::string& text : world.texts(Json(own).dump()))
        all.push_back(Json::parse(text).get<std::vector<std::string>>());
    world.together([&] {
        for (std::size_t rank = 1; rank < all.size(); ++rank)
            for (std::size_t i = 0; i < std::min(all[0].size(), all[rank].size()); ++i)
                if (parallel::device_kind(all[rank][i]) != parallel::device_kind(all[0][i]))
                    throw Error(ErrorCode::invalid_argument,
                                "rank " + std::to_string(rank) + " has on '" + all[rank][i] +
                                    "' what rank 0 has on '" + all[0][i] + "'",
                                "placement.devices", "Give all ranks devices of the same kinds");
    });
}

void require_gpus_apart(World& world, const std::vector<Gpu>& own) {
    auto most = static_cast<double>(own.size());
    world.largest(std::span(&most, 1));
    std::map<double, int> owners;        // the first rank with a number
    std::map<double, std::size_t> mine;  // this rank's GPUs
    std::optional<Error> fault;
    for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i) {
        const bool known = i < own.size() && !own[i].description.empty();
        // One that tells nothing of itself is like no other.
        const std::vector<double> numbers = world.numbers_on_host(
            known ? own[i].description
                  : std::to_string(world.rank()) + ", GPU " + std::to_string(i));
        mine.emplace(numbers[static_cast<std::size_t>(world.rank())], i);
        for (int rank = 0; rank < world.size(); ++rank) {
            const double number = numbers[static_cast<std::size_t>(rank)];
            const int other = owners.emplace(number, rank).first->second;
            const bool concerned = world.rank() == rank || world.rank() == other;
            if (other != rank && concerned && !fault)
                fault =
                    same_gpu(std::min(other, rank), std::max(other, rank), own[mine.at(number)]);
        }
    }
    world.together([&] {
        if (fault) throw Error(*fault);
    });
}

}  // namespace strata::train
