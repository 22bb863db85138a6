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
    accumulate(layer);
}

// The micro-batch's gradients join the window's, and those of a shared variable each other.
void ProgramBuilder::accumulate(std::size_t layer) {
    const std::string& owner = model_.layers[owner_of(layer)].name;
    for (const VariablePlace& place : state_.variables)
        if (place.layer == owner && place.spec.trainable && !writes_gradient(layer, place)) {
            const ValueId sum = view_at(weight_gradients_, place.offset, place.spec.shape,
                                        owner + "/" + place.role + "_sum");
            const ValueId gradient = values_[layer].gradients.at(place.role);
            const std::string& name = model_.layers[layer].name;
            if (begins_gradient(layer, place) && !has_several_stages(place))
                emit(ops::AccumulateGradient{}, {sum, gradient}, {sum}, name);
            else
                emit(ops::AddN{}, {sum, gradient}, {sum}, name);
        }
}

bool ProgramBuilder::begins_gradient(std::size_t layer, const VariablePlace& place) const {
    const auto is_reader = [&](int other) {
        const auto index = static_cast<std::size_t>(other);
        return own(index) &&
               std::find(place.readers.begin(), place.readers.end(), index) != place.readers.end();
    };
    const auto last = std::find_if(report_.order.rbegin(), report_.order.rend(), is_reader);
    return last != report_.order.rend() && *last == static_cast<int>(layer);
}

bool ProgramBuilder::has_several_stages(const VariablePlace& place) const {
    return cut_ != nullptr && is_made_by_several(place, cut_->stage);
}

bool ProgramBuilder::writes_gradient(std::size_t layer, const VariablePlace& place) const {
    return !setup_->accumulates && !has_several_stages(place) && begins_gradient(layer, place);
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
