// The state of a placed model between its devices and the host: of the first replica, which all
// others equal, but where each keeps a share of the optimizer's.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "engine/graph/host_state.h"
#include "engine/parallel/placed_model.h"

namespace strata::parallel {

using graph::HostTensor;

// As one device would give them: the weights, then the slots of each variable.
std::vector<HostTensor> PlacedModel::in_order(std::vector<HostTensor> tensors) const {
    std::map<std::tuple<std::string, std::string, std::string>, HostTensor> found;
    for (HostTensor& tensor : tensors)
        found[{tensor.layer, tensor.role, tensor.slot}] = std::move(tensor);
    std::vector<HostTensor> ordered;
    const auto take = [&](const graph::VariablePlace& place, const std::string& slot) {
        const auto it = found.find({place.layer, place.role, slot});
        if (it != found.end()) ordered.push_back(std::move(it->second));
    };
    for (const graph::VariablePlace& place : state_.variables) take(place, "");
    for (const graph::VariablePlace& place : state_.variables)
        for (const std::string& slot : state_.slots) take(place, slot);
    return ordered;
}

std::vector<HostTensor> PlacedModel::snapshot(bool with_optimizer) const {
    std::vector<HostTensor> all;
    for (std::size_t d = 0; d < parts_.front().size(); ++d) {
        const DevicePart& first = *parts_.front()[d];
        auto tensors = graph::copy_state(first.arena(), first.state(), with_optimizer);
        for (std::size_t r = 1; with_optimizer && sharded_ && r < parts_.size(); ++r)
            graph::add_owned_slots(parts_[r][d]->arena(), parts_[r][d]->state(), tensors);
        std::move(tensors.begin(), tensors.end(), std::back_inserter(all));
    }
    return in_order(std::move(all));
}

std::vector<HostTensor> PlacedModel::gradients() const {
    std::vector<HostTensor> all;
    for (std::size_t d = 0; d < parts_.front().size(); ++d) {
        const DevicePart& first = *parts_.front()[d];
        auto tensors = graph::copy_gradients(first.arena(), first.state());
        if (sharded_)
            for (HostTensor& tensor : tensors)
                std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
        for (std::size_t r = 0; sharded_ && r < parts_.size(); ++r)
            graph::add_owned_gradients(parts_[r][d]->arena(), parts_[r][d]->state(), tensors);
        std::move(tensors.begin(), tensors.end(), std::back_inserter(all));
    }
    return in_order(std::move(all));
}

// A tensor of no layer goes to the first device, which refuses it.
void PlacedModel::restore(std::span<const HostTensor> tensors, bool all_required) {
    std::vector<std::vector<HostTensor>> shares(static_cast<std::size_t>(devices()));
    for (const HostTensor& tensor : tensors) {
        const int owner = model_.index_of(tensor.layer);
        std::set<int> holders;
        if (owner < 0) holders.insert(0);
        for (std::size_t layer = 0; layer < model_.layers.size(); ++layer)
            if (owner >= 0 &&
                (static_cast<int>(layer) == owner || report_.layers[layer].owner == owner))
                holders.insert(device_of(stages_.of_layer[layer]));
        for (int device : holders) shares[static_cast<std::size_t>(device)].push_back(tensor);
    }
    for (auto& replica : parts_)
        for (std::size_t d = 0; d < replica.size(); ++d) {
            graph::put_state(replica[d]->arena(), replica[d]->state(), shares[d],
                             training_setup() != nullptr, all_required);
            replica[d]->refresh();
        }
}

void PlacedModel::initialize(std::uint64_t seed) {
    std::vector<HostTensor> tensors;
    for (std::size_t i = 0; i < state_.variables.size(); ++i) {
        const graph::VariablePlace& place = state_.variables[i];
        tensors.push_back({place.layer, place.role, "", place.spec.shape,
                           graph::initial_values(place.spec, seed, static_cast<std::uint32_t>(i))});
    }
    for (auto& replica : parts_)
        for (auto& part : replica)
            part->device().fill_zero(part->arena().base(device::Category::optimizer),
                                     part->arena().budget()[device::Category::optimizer]);
    restore(tensors, true);
}

}  // namespace strata::parallel
