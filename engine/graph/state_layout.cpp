// Places of variables and optimizer slots in the flat arrays.
#include "engine/graph/plan.h"

#include <algorithm>

namespace strata::graph {

StateLayout lay_out_state(const Model& model, const ModelReport& report, const TrainingSetup* setup,
                          const std::vector<bool>* of) {
    StateLayout layout;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        VariablePlace place{model.layers[i].name, {}, {}};
        for (std::size_t reader = 0; reader < model.layers.size(); ++reader) {
            if (reader != i && report.layers[reader].owner != static_cast<int>(i)) continue;
            if (of == nullptr || (*of)[reader])
                place.readers.push_back(reader);
            else
                place.elsewhere = true;
        }
        place.copied = of != nullptr && !(*of)[i];
        for (const layers::VariableSpec& spec : report.layers[i].variables) {
            if (place.readers.empty()) continue;
            place.role = spec.role;
            place.spec = spec;
            layout.variables.push_back(place);
        }
    }
    const auto place = [&](bool trainable, bool copied, std::size_t offset) {
        for (VariablePlace& variable : layout.variables) {
            if (variable.spec.trainable != trainable || variable.copied != copied) continue;
            variable.offset = offset;
            offset += device::aligned(static_cast<std::size_t>(variable.spec.shape.elements()) *
                                      sizeof(float));
        }
        return offset;
    };
    layout.counted_bytes = place(true, false, 0);
    layout.trainable_bytes = place(true, true, layout.counted_bytes);
    layout.weight_bytes = place(false, false, layout.trainable_bytes);
    if (setup != nullptr && setup->optimizer != nullptr)
        layout.slots = setup->optimizer->slots(setup->optimizer_config);
    if (setup != nullptr && setup->ema_momentum) layout.slots.emplace_back(average_slot);
    return layout;
}

bool is_made_by_several(const VariablePlace& place, const std::vector<int>& stages) {
    return std::any_of(place.readers.begin(), place.readers.end(), [&](std::size_t reader) {
        return stages[reader] != stages[place.readers.front()];
    });
}

std::size_t StateLayout::slot_bytes() const {
    if (!owned) return trainable_bytes;
    std::size_t elements = 0;
    for (const ops::Segment& segment : *owned) elements += static_cast<std::size_t>(segment.count);
    return elements * sizeof(float);
}

std::vector<OwnedPart> owned_parts(const StateLayout& state, std::size_t begin, std::size_t end) {
    if (!state.owned) return {{begin, end, begin}};
    std::vector<OwnedPart> parts;
    std::size_t in_slot = 0;
    for (const ops::Segment& segment : *state.owned) {
        const auto first = static_cast<std::size_t>(segment.offset);
        const auto count = static_cast<std::size_t>(segment.count);
        const std::size_t from = std::max(begin, first), to = std::min(end, first + count);
        if (from < to) parts.push_back({from, to, in_slot + from - first});
        in_slot += count;
    }
    return parts;
}

std::vector<OwnedPart> owned_parts(const StateLayout& state) {
    return owned_parts(state, 0, state.trainable_bytes / sizeof(float));
}

}  // namespace strata::graph
