#include "engine/train/stepper.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace strata::train {
namespace {

bool computes_in_float16(const PreparedRun& run) {
    const auto& layers = run.executor->model().layers;
    return std::any_of(layers.begin(), layers.end(), [&](const graph::LayerNode& node) {
        const std::string& policy =
            node.precision.empty() ? run.config.training.precision : node.precision;
        return policy == "mixed_float16";
    });
}

}  // namespace

Stepper::Stepper(PreparedRun& run, checkpoint::TrainingState& state)
    : run_(run), state_(state), scaler_(run.config.training.loss_scale, computes_in_float16(run)) {
    scaler_.restore(state.loss_scaler);
    state_.epoch_metric_sums.resize(run.config.training.metrics.size());
}

double Stepper::learning_rate() const {
    return run_.learning_rate->at(state_.update);
}

double Stepper::clip_limit() const {
    const ClippingConfig& clipping = run_.config.training.clipping;
    if (clipping.type == Clipping::none) return 0.0;
    return state_.live.clip_limit.value_or(clipping.value);
}

double Stepper::weight_decay() const {
    return state_.live.weight_decay.value_or(optimizers::weight_decay(run_.setup.optimizer_config));
}

void Stepper::set_learning_rate(double rate) {
    run_.learning_rate->set_base(rate);
    state_.live.learning_rate = rate;
}

void Stepper::set_clip_limit(double limit) {
    state_.live.clip_limit = limit;
}

void Stepper::set_weight_decay(double decay) {
    state_.live.weight_decay = decay;
}

void Stepper::save_state() {
    state_.loss_scaler = scaler_.state();
    state_.schedule = run_.learning_rate->state();
}

// Windows are numbered with the skipped ones: each draws masks of its own.
ops::StepScalars Stepper::scalars(std::int64_t first_sample) const {
    ops::StepScalars scalars;
    scalars.seed = state_.seed;
    scalars.step = static_cast<std::uint32_t>(state_.update + state_.skipped_steps);
    scalars.first_sample = first_sample;
    scalars.loss_scale = static_cast<float>(scaler_.scale());
    scalars.learning_rate = static_cast<float>(learning_rate());
    scalars.clip_limit = static_cast<float>(clip_limit());
    scalars.weight_decay = static_cast<float>(weight_decay());
    scalars.update = state_.update + 1;
    return scalars;
}

StepOutcome Stepper::step() {
    StepOutcome outcome;
    outcome.metric_sums.resize(state_.epoch_metric_sums.size());
    const data::Batch* last = nullptr;
    ops::StepScalars used;
    for (std::int64_t k = 0; k < run_.config.training.gradient_accumulation_steps; ++k) {
        const data::Batch* batch = run_.train.pipeline->next();
        if (batch == nullptr) break;
        last = batch;
        used = scalars(batch->first_sample);
        used.first_in_window = k == 0;
        const graph::BatchResult result = run_.executor->accumulate(
            batch->samples.data(), run_.train.targets->encode(*batch), batch->size, used);
        // No smaller loss scale helps a forward pass.
        if (!std::isfinite(result.loss_sum)) explain(*batch, used, nullptr);
        ++state_.batch_in_epoch;
        outcome.samples += batch->size;
        outcome.loss_sum += result.loss_sum;
        for (std::size_t i = 0; i < result.metric_sums.size(); ++i)
            outcome.metric_sums[i] += result.metric_sums[i];
    }
    return last == nullptr ? outcome : finish(std::move(outcome), *last, used);
}

StepOutcome Stepper::finish(StepOutcome outcome, const data::Batch& last, ops::StepScalars used) {
    const graph::UpdateResult result = run_.executor->update(outcome.samples, used);
    outcome.batch = &last;
    outcome.gradient_norm = result.gradient_norm;
    outcome.applied = result.applied;
    outcome.learning_rate = static_cast<double>(used.learning_rate);
    outcome.clip_limit = static_cast<double>(used.clip_limit);
    outcome.loss_scale = scaler_.scale();
    if (!result.applied && !scaler_.active()) explain(last, used, nullptr);
    state_.samples += outcome.samples;
    state_.epoch_samples += outcome.samples;
    state_.epoch_loss_sum += outcome.loss_sum;
    for (std::size_t i = 0; i < outcome.metric_sums.size(); ++i)
        state_.epoch_metric_sums[i] += outcome.metric_sums[i];
    if (result.applied) {
        ++state_.update;
        ++state_.updates_in_epoch;
    } else {
        ++state_.skipped_steps;
    }
    try {
        if (scaler_.update(result.applied)) outcome.new_loss_scale = scaler_.scale();
    } catch (const Error& error) {
        explain(last, used, &error);
    }
    return outcome;
}

void Stepper::explain(const data::Batch& batch, const ops::StepScalars& used,
                      const Error* scaler_error) {
    std::string where;
    const auto found = run_.executor->find_not_finite(
        batch.samples.data(), run_.train.targets->encode(batch), batch.size, used);
    if (found)
        where = found->layer == "loss"
                    ? "loss"
                    : "layer '" + found->layer + "'" + (found->backward ? ", in its gradient" : "");
    if (scaler_error != nullptr)
        throw Error(ErrorCode::numeric, scaler_error->message(),
                    where.empty() ? scaler_error->where() : where, scaler_error->hint());
    throw Error(ErrorCode::numeric,
                "the loss or its gradient is no longer a finite number at update " +
                    std::to_string(state_.update + 1),
                where.empty() ? "gradients" : where,
                "Try a smaller learning rate or gradient clipping; the weights are as they were "
                "before this update");
}

}  // namespace strata::train
