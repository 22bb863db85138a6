// What a stage hands over to other stages and gets from them. A whole model has none of it.
#include <algorithm>

#include "engine/graph/program_builder.h"

namespace strata::graph {

using ops::no_value;
using ops::ValueId;

bool ProgramBuilder::own(std::size_t layer) const {
    return cut_ == nullptr || cut_->stage[layer] == cut_->own;
}

std::vector<int> ProgramBuilder::reader_stages(std::size_t layer) const {
    std::vector<int> stages;
    if (cut_ == nullptr) return stages;
    const std::string& name = model_.layers[layer].name;
    for (std::size_t reader = 0; reader < model_.layers.size(); ++reader) {
        const auto& inputs = model_.layers[reader].inputs;
        const int stage = cut_->stage[reader];
        if (stage != cut_->own && std::find(inputs.begin(), inputs.end(), name) != inputs.end())
            stages.push_back(stage);
    }
    std::sort(stages.begin(), stages.end());
    stages.erase(std::unique(stages.begin(), stages.end()), stages.end());
    return stages;
}

// Persistent: another stage writes them, at any time before this one reads them.
void ProgramBuilder::receive_outputs() {
    for (int i : report_.order) {
        const auto reader = static_cast<std::size_t>(i);
        if (!own(reader)) continue;
        for (const std::string& input : model_.layers[reader].inputs) {
            const int source = model_.index_of(input);
            const auto layer = static_cast<std::size_t>(source);
            if (own(layer) || values_[layer].output != no_value) continue;
            values_[layer].output =
                add_persistent(input, report_.layers[layer].output->with_batch(plan_.batch),
                               cut_->output_types[layer], device::Category::activations);
            plan_.received.push_back({source, cut_->stage[layer], values_[layer].output});
        }
    }
}

void ProgramBuilder::send_outputs() {
    for (int i : report_.order) {
        const auto layer = static_cast<std::size_t>(i);
        if (!own(layer)) continue;
        for (int stage : reader_stages(layer))
            plan_.sent.push_back({i, stage, values_[layer].output});
    }
}

void ProgramBuilder::receive_gradients() {
    for (int i : report_.order) {
        const auto layer = static_cast<std::size_t>(i);
        if (!own(layer) || !needs_gradient_[layer]) continue;
        for (int stage : reader_stages(layer)) {
            const ops::Value output = plan_.program[values_[layer].output];
            const ValueId gradient =
                add_persistent(model_.layers[layer].name + "/gradient", output.shape, output.dtype,
                               device::Category::activations);
            gradients_[layer].push_back(gradient);
            plan_.received_gradients.push_back({i, stage, gradient});
        }
    }
}

void ProgramBuilder::send_gradients() {
    for (const Port& port : plan_.received) {
        const auto layer = static_cast<std::size_t>(port.layer);
        if (!needs_gradient_[layer]) continue;
        ValueId gradient = summed_gradient(layer);
        if (gradient == no_value) {
            const ops::Value output = plan_.program[port.value];
            gradient = add_transient(output.name + "/gradient", output.shape, output.dtype);
            emit(ops::Fill{}, {}, {gradient}, output.name);
        }
        plan_.sent_gradients.push_back({port.layer, port.stage, gradient});
    }
}

}  // namespace strata::graph
