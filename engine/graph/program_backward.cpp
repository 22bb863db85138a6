// The backward pass: gradients from the loss to the first trainable layer, and the activations that
// are computed again for it (Chen et al., "Training deep nets with sublinear memory cost", arXiv
// 1604.06174).
#include <algorithm>

#include "engine/graph/program_builder.h"

namespace strata::graph {

using ops::no_value;
using ops::ValueId;

void ProgramBuilder::backward() {
    const std::size_t begin = plan_.program.ops.size();
    receive_gradients();
    for (auto i = report_.order.rbegin(); i != report_.order.rend(); ++i) {
        const auto layer = static_cast<std::size_t>(*i);
        if (own(layer) && *i != report_.input && needs_gradient_[layer]) backward_layer(layer);
    }
    for (std::size_t i = 0; i < state_.variables.size(); ++i)
        if (state_.variables[i].readers.size() > 1 && state_.variables[i].spec.trainable)
            gather_shared_gradient(i);
    send_gradients();
    for (std::size_t i = begin; i < plan_.program.ops.size(); ++i)
        plan_.program.ops[i].backward = true;
}

ValueId ProgramBuilder::summed_gradient(std::size_t layer) {
    const std::vector<ValueId>& parts = gradients_[layer];
    if (parts.size() < 2) return parts.empty() ? no_value : parts[0];
    const ops::Value output = plan_.program[values_[layer].output];
    const std::string& name = model_.layers[layer].name;
    const ValueId id = add_transient(name + "/output_gradient", output.shape, output.dtype);
    emit(ops::AddN{}, parts, {id}, name);
    return id;
}

void ProgramBuilder::backward_layer(std::size_t layer) {
    const bool top = static_cast<int>(layer) == top_;
    const bool fused = top && logits_ != no_value;
    const std::string& name = model_.layers[layer].name;
    ValueId dy = no_value;
    if (top && !fused)
        dy = cast(loss_gradient_, plan_.program[values_[layer].output].dtype, name);
    else if (!top)
        dy = summed_gradient(layer);
    if (dy == no_value && !fused) return;
    std::vector<std::size_t> sources;
    std::vector<bool> needs;
    for (const std::string& input : model_.layers[layer].inputs) {
        sources.push_back(static_cast<std::size_t>(model_.index_of(input)));
        needs.push_back(needs_gradient_[sources.back()]);
    }
    const LayerValues values = seen(values_[layer]);
    BackwardEmitter emitter(plan_.program, place_of(layer), values, needs, dy,
                            fused ? loss_gradient_ : no_value);
    model_.layers[layer].type->backward(emitter);
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (needs[i] && emitter.input_gradients[i] != no_value)
            gradients_[sources[i]].push_back(cast(
                emitter.input_gradients[i], plan_.program[values_[sources[i]].output].dtype, name));
    if (setup_->accumulates) accumulate(layer);
}

// The micro-batch's gradients join the window's.
void ProgramBuilder::accumulate(std::size_t layer) {
    const std::string& name = model_.layers[layer].name;
    for (const VariablePlace& place : state_.variables) {
        if (place.layer != model_.layers[owner_of(layer)].name || !place.spec.trainable ||
            place.readers.size() > 1)
            continue;
        const ValueId sum = view_at(weight_gradients_, place.offset, place.spec.shape,
                                    name + "/" + place.role + "_sum");
        emit(ops::AccumulateGradient{}, {sum, values_[layer].gradients.at(place.role)}, {sum},
             name);
    }
}

std::vector<std::size_t> ProgramBuilder::readers_here(const VariablePlace& place) const {
    std::vector<std::size_t> readers;
    for (std::size_t layer : place.readers)
        if (own(layer)) readers.push_back(layer);
    return readers;
}

// A device's last stage goes backward first.
bool ProgramBuilder::joins(const VariablePlace& place) const {
    return cut_ != nullptr &&
           std::any_of(place.readers.begin(), place.readers.end(),
                       [this](std::size_t layer) { return cut_->stage[layer] > cut_->own; });
}

void ProgramBuilder::gather_shared_gradient(std::size_t variable) {
    const VariablePlace& place = state_.variables[variable];
    std::vector<ValueId> parts;
    for (std::size_t layer : readers_here(place))
        parts.push_back(values_[layer].gradients.at(place.role));
    if (parts.empty()) return;
    const std::string path = place.layer + "/" + place.role;
    const ValueId sum = view_at(weight_gradients_, place.offset, place.spec.shape, path + "_sum");
    const bool joins_others = joins(place);
    const auto add = [&](std::vector<ValueId> all, ValueId to) {
        emit(ops::AddN{}, std::move(all), {to}, place.layer);
        return to;
    };
    if (joins_others) {
        parts.insert(parts.begin(), sum);
        add(std::move(parts), sum);
    } else if (setup_->accumulates) {
        const ValueId whole =
            parts.size() == 1
                ? parts[0]
                : add(parts, add_transient(path + "_gradient", place.spec.shape, DType::float32,
                                           device::Category::gradients));
        emit(ops::AccumulateGradient{}, {sum, whole}, {sum}, place.layer);
    } else if (parts.size() == 1) {
        emit(ops::ScaleShift{}, parts, {sum}, place.layer);
    } else {
        add(std::move(parts), sum);
    }
}

LayerValues ProgramBuilder::seen(const LayerValues& values) {
    LayerValues result = values;
    for (ValueId& input : result.inputs) input = seen(input);
    result.output = seen(result.output);
    for (auto& [name, id] : result.kept) id = seen(id);
    return result;
}

ValueId ProgramBuilder::seen(ValueId value) {
    const auto maker = made_by_.find(plan_.program.root(value));
    if (maker == made_by_.end() || !model_.layers[maker->second].recompute) return value;
    if (!again_.contains(maker->first)) compute_again(maker->second);
    return copy_of(value);
}

// The value that stands for `value` in the second computation.
ValueId ProgramBuilder::copy_of(ValueId value) {
    if (const auto it = again_.find(value); it != again_.end()) return it->second;
    ops::Value copy = plan_.program[value];
    if (copy.persistent) return value;
    copy.name += "_again";
    if (copy.base != no_value) copy.base = seen(copy.base);
    const ValueId id = plan_.program.add(std::move(copy));
    again_.emplace(value, id);
    return id;
}

// A layer's forward ops once more. Dropout draws the same mask; moving statistics stay as they are.
void ProgramBuilder::compute_again(std::size_t layer) {
    const auto [begin, end] = forward_ops_[layer];
    std::vector<ops::Op> repeated;
    for (std::size_t i = begin; i < end; ++i)
        for (ValueId id : std::vector<ValueId>(plan_.program.ops[i].outputs))
            copy_of(plan_.program.root(id));
    for (std::size_t i = begin; i < end; ++i) {
        ops::Op op = plan_.program.ops[i];
        if (std::holds_alternative<ops::AccumulateStatistics>(op.attributes)) continue;
        op.again = true;
        for (ValueId& id : op.inputs) {
            const auto maker = made_by_.find(plan_.program.root(id));
            const bool own = maker != made_by_.end() && maker->second == layer;
            id = own ? copy_of(id) : seen(id);
        }
        for (ValueId& id : op.outputs) id = copy_of(id);
        if (auto* norm = std::get_if<ops::BatchNormTraining>(&op.attributes)) {
            norm->momentum = 1.0F;
            op.outputs.resize(3);
        }
        repeated.push_back(std::move(op));
    }
    for (ops::Op& op : repeated) plan_.program.ops.push_back(std::move(op));
}

}  // namespace strata::graph
