// The optimizer's step, and what follows from new weights.
#include "engine/graph/program_builder.h"

namespace strata::graph {

using ops::no_value;
using ops::ValueId;

void ProgramBuilder::update() {
    if (state_.trainable_bytes > 0) update_weights();
    update_statistics();
    refresh();
}

void ProgramBuilder::update_weights() {
    const std::string layer = "optimizer";
    plan_.gradient_norm = result("gradient_norm", 1 + setup_->metrics.size());
    emit(ops::SumOfSquares{}, {weight_gradients_}, {plan_.gradient_norm}, layer);
    if (setup_->clip_by_variable) {
        ops::ClipByVariableNorm clip;
        for (const VariablePlace& place : state_.variables)
            if (place.spec.trainable)
                clip.segments.push_back({static_cast<std::int64_t>(place.offset / sizeof(float)),
                                         place.spec.shape.elements()});
        emit(std::move(clip), {weight_gradients_}, {weight_gradients_}, layer);
    }
    const Shape trainable{static_cast<std::int64_t>(state_.trainable_bytes / sizeof(float))};
    const ValueId weights = view_at(weights_, 0, trainable, "trainable_weights");
    std::vector<ValueId> slots = slots_;
    if (setup_->ema_momentum) slots.pop_back();
    std::vector<ValueId> updated{weights}, operands{weights, weight_gradients_};
    updated.insert(updated.end(), slots.begin(), slots.end());
    operands.insert(operands.end(), slots.begin(), slots.end());
    operands.push_back(plan_.gradient_norm);
    emit(setup_->optimizer->update(setup_->optimizer_config, setup_->clip), operands, updated,
         layer);
    if (setup_->ema_momentum)
        emit(ops::EmaUpdate{*setup_->ema_momentum}, {slots_.back(), weights, plan_.gradient_norm},
             {slots_.back()}, layer);
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
