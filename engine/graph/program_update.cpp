// The optimizer's step, and what follows from new weights.
#include "engine/graph/program_builder.h"

namespace strata::graph {

using ops::no_value;
using ops::ValueId;

namespace {

constexpr const char* optimizer_layer = "optimizer";

}  // namespace

void ProgramBuilder::update() {
    if (state_.trainable_bytes > 0) update_weights();
    update_statistics();
    plan_.refresh_begin = plan_.program.ops.size();
    refresh();
}

void ProgramBuilder::update_weights() {
    const std::vector<OwnedPart> parts = owned_parts(state_);
    sum_squares(parts);
    if (setup_->clip_by_variable) {
        ops::ClipByVariableNorm clip;
        for (const VariablePlace& place : state_.variables)
            if (place.spec.trainable)
                clip.segments.push_back({static_cast<std::int64_t>(place.offset / sizeof(float)),
                                         place.spec.shape.elements()});
        emit(std::move(clip), {weight_gradients_}, {weight_gradients_}, optimizer_layer);
    }
    for (const OwnedPart& part : parts) {
        update_part(part);
        plan_.update_ends.push_back(plan_.program.ops.size());
    }
}

ValueId ProgramBuilder::view_of(ValueId array, std::size_t element, std::size_t count) {
    return view_at(array, element * sizeof(float), Shape{static_cast<std::int64_t>(count)},
                   plan_.program[array].name + "_part");
}

void ProgramBuilder::sum_squares(const std::vector<OwnedPart>& parts) {
    plan_.gradient_norm = result("gradient_norm", 1 + setup_->metrics.size());
    if (!state_.owned) {
        emit(ops::SumOfSquares{},
             {view_of(weight_gradients_, 0, state_.counted_bytes / sizeof(float)),
              result("window_loss", plan_.window)},
             {plan_.gradient_norm}, optimizer_layer);
    } else if (!parts.empty()) {
        plan_.squares = add_persistent("squares", Shape{static_cast<std::int64_t>(parts.size())},
                                       DType::float64, device::Category::workspace);
        for (std::size_t i = 0; i < parts.size(); ++i)
            emit(ops::SumOfSquares{}, {view_of(weight_gradients_, parts[i].begin, parts[i].size())},
                 {view_at(plan_.squares, i * sizeof(double), Shape{}, "squares_of_part")},
                 optimizer_layer);
    }
    plan_.norm_ops = plan_.program.ops.size();
}

void ProgramBuilder::update_part(const OwnedPart& part) {
    const ValueId weights = view_of(weights_, part.begin, part.size());
    std::vector<ValueId> slots;
    for (ValueId slot : slots_) slots.push_back(view_of(slot, part.in_slot, part.size()));
    std::vector<ValueId> updated{weights},
        operands{weights, view_of(weight_gradients_, part.begin, part.size())};
    const auto end = slots.end() - (setup_->ema_momentum ? 1 : 0);
    updated.insert(updated.end(), slots.begin(), end);
    operands.insert(operands.end(), slots.begin(), end);
    operands.push_back(plan_.gradient_norm);
    emit(setup_->optimizer->update(setup_->optimizer_config, setup_->clip), operands, updated,
         optimizer_layer);
    if (setup_->ema_momentum)
        emit(ops::EmaUpdate{*setup_->ema_momentum}, {slots.back(), weights, plan_.gradient_norm},
             {slots.back()}, optimizer_layer);
}

// As the weights: a step that is skipped leaves them alone.
void ProgramBuilder::update_statistics() {
    for (const auto& [i, window] : window_statistics_) {
        const VariablePlace& place = state_.variables[i];
        const ValueId average =
            view_at(weights_, place.offset, place.spec.shape, place.layer + "/" + place.role);
        std::vector<ValueId> operands{average, window};
        if (plan_.gradient_norm != no_value) operands.push_back(plan_.gradient_norm);
        emit(ops::MovingAverage{*place.spec.momentum}, std::move(operands), {average}, place.layer);
    }
}

void ProgramBuilder::refresh() {
    for (std::size_t i = 0; i < copies_.size(); ++i) {
        if (copies_[i] == no_value) continue;
        const VariablePlace& place = state_.variables[i];
        emit(ops::ScaleShift{},
             {view_at(weights_, place.offset, place.spec.shape, place.layer + "/" + place.role)},
             {copies_[i]}, place.layer);
    }
}

}  // namespace strata::graph
