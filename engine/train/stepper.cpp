#include "engine/train/stepper.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/layers/text.h"

namespace strata::train {
namespace {

constexpr std::int64_t many_skipped = 10;  // steps in a row at a fixed loss scale

bool computes_in_float16(const PreparedRun& run) {
    const auto& layers = run.executor->model().layers;
    return std::any_of(layers.begin(), layers.end(), [&](const graph::LayerNode& node) {
        const std::string& policy =
            node.precision.empty() ? run.config.training.precision : node.precision;
        return policy == "mixed_float16";
    });
}

// Reads the data until it finds one: a run that ends has the time.
std::optional<std::int64_t> first_sample_not_finite(const data::Source& source) try {
    if (source.sample_dtype() != DType::float32) return std::nullopt;
    const auto values = static_cast<std::size_t>(source.sample_shape().elements());
    std::vector<float> sample(values);
    std::vector<std::int32_t> label(1);
    for (std::int64_t row = 0; row < source.size(); ++row) {
        source.read(&row, 1, sample.data(), label.data());
        for (float value : sample)
            if (!std::isfinite(value)) return row;
    }
    return std::nullopt;
} catch (const Error&) {
    return std::nullopt;  // they cannot be read again
}

std::string place_of(const graph::NotFinite& found) {
    if (found.layer == "loss") return "loss";
    return "layer '" + found.layer + "'" + (found.backward ? ", in its gradient" : "");
}

}  // namespace

Stepper::Stepper(PreparedRun& run, checkpoint::TrainingState& state)
    : run_(run), state_(state), scaler_(run.config.training.loss_scale, computes_in_float16(run)) {
    scaler_.restore(state.loss_scaler);
    state_.epoch_metric_sums.resize(run.config.training.metrics.size());
}

double Stepper::learning_rate() const {
    const RateScaling& scaling = run_.rate_scaling;
    const std::int64_t clock = state_.schedule_update();
    return run_.learning_rate->at(state_.update, clock) * scaling.scale() * scaling.warmup(clock);
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
    run_.learning_rate->set_base(rate / run_.rate_scaling.scale());
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
ops::StepScalars Stepper::scalars(const data::Batch* batch) const {
    ops::StepScalars scalars;
    scalars.seed = state_.seed;
    scalars.step = static_cast<std::uint32_t>(state_.update + state_.skipped_steps);
    if (batch != nullptr) {
        scalars.first_sample = batch->first_sample;
        scalars.sample_stride = batch->sample_stride;
    }
    scalars.loss_scale = static_cast<float>(scaler_.scale());
    scalars.learning_rate = static_cast<float>(learning_rate());
    scalars.clip_limit = static_cast<float>(clip_limit());
    scalars.weight_decay = static_cast<float>(weight_decay());
    scalars.update = state_.update + 1;
    return scalars;
}

StepOutcome Stepper::step() {
    run_.executor->keep_statistics();
    try {
        return run_window();
    } catch (...) {
        whole_ = put_back_statistics() && !updating_;
        throw;
    }
}

bool Stepper::put_back_statistics() noexcept try {
    run_.executor->put_back_statistics();
    return true;
} catch (...) {
    return false;
}

StepOutcome Stepper::run_window() {
    StepOutcome outcome;
    Part part;
    const std::int64_t left = run_.batches_per_epoch - state_.batch_in_epoch;
    const std::int64_t batches = std::min(run_.config.training.gradient_accumulation_steps, left);
    for (; outcome.batches < batches; ++outcome.batches)
        run_batch(part, outcome.batches == 0, outcome.batches + 1 == batches);
    if (outcome.batches == 0) return outcome;
    outcome.samples = part.samples;
    if (run_.world->size() > 1) share(part, outcome);
    finish(outcome, part);
    return outcome;
}

// A rank without samples, or with a fault, still takes part in what all do together: the last batch
// of a window adds up the gradients of all.
void Stepper::run_batch(Part& part, bool first, bool last) {
    const bool staged = staged_.batch != nullptr;
    const data::Batch* batch = part.fault ? nullptr : read_batch(part);
    part.scalars = scalars(batch);
    part.scalars.first_in_window = first;
    part.scalars.last_in_window = last;
    if (batch == nullptr || staged)
        run_.executor->accumulate(nullptr, nullptr, batch == nullptr ? 0 : batch->size,
                                  part.scalars);
    else
        run_.executor->accumulate(batch->samples.data(), run_.train.targets->encode(*batch),
                                  batch->size, part.scalars);
    if (batch == nullptr) return;
    part.last = batch;
    part.samples += batch->size;
}

const data::Batch* Stepper::read_batch(Part& part) {
    Staged staged = std::exchange(staged_, {});
    if (staged.fault) throw Error(*staged.fault);
    if (staged.batch != nullptr) return staged.batch;
    try {
        return run_.train.pipeline->next();
    } catch (const Error& error) {
        if (run_.world->size() == 1) throw;
        part.fault = error;
        return nullptr;
    }
}

// What the ranks' parts make together; where one has a fault, all end here.
void Stepper::share(Part& part, StepOutcome& outcome) {
    graph::BatchResult own = run_.executor->window_sums();
    if (!part.fault && !std::isfinite(own.loss_sum)) try {
            explain_loss(outcome, part);
        } catch (const Error& error) {
            part.fault = error;
        }
    std::vector<double> sums = std::move(own.metric_sums);
    sums.resize(state_.epoch_metric_sums.size());
    sums.push_back(own.loss_sum);
    sums.push_back(static_cast<double>(part.samples));
    run_.world->together(
        [&] {
            if (part.fault) throw Error(*part.fault);
        },
        sums);
    outcome.samples = static_cast<std::int64_t>(sums.back());
    outcome.loss_sum = sums[sums.size() - 2];
    outcome.metric_sums.assign(sums.begin(), sums.end() - 2);
}

// The host makes itself useful while the device works.
graph::UpdateResult Stepper::update(StepOutcome& outcome, Part& part) {
    updating_ = true;
    run_.executor->begin_update(part.samples, part.scalars);
    stage_next(outcome, part);
    graph::UpdateResult result = run_.executor->finish_update();
    updating_ = false;
    return result;
}

// Of this epoch, and only where nothing is waited for.
void Stepper::stage_next(StepOutcome& outcome, Part& part) {
    data::Pipeline& pipeline = *run_.train.pipeline;
    const bool last = state_.batch_in_epoch + outcome.batches >= run_.batches_per_epoch;
    if (last || part.last == nullptr || !run_.executor->stages() || !pipeline.ready()) return;
    shown_ = *part.last;  // as long as the trainer looks at it
    part.last = &shown_;
    try {
        staged_.batch = pipeline.next();
    } catch (const Error& error) {
        staged_.fault = error;
        return;
    }
    if (staged_.batch != nullptr)
        run_.executor->stage(staged_.batch->samples.data(),
                             run_.train.targets->encode(*staged_.batch), staged_.batch->size);
}

// The state changes where nothing can fail any more.
void Stepper::finish(StepOutcome& outcome, Part& part) {
    const graph::UpdateResult result = update(outcome, part);
    if (run_.world->size() == 1) {
        if (!std::isfinite(result.loss_sum)) explain_loss(outcome, part);
        outcome.loss_sum = result.loss_sum;
        outcome.metric_sums = result.metric_sums;
    }
    outcome.batch = part.last;
    outcome.gradient_norm = result.gradient_norm;
    outcome.applied = result.applied;
    outcome.learning_rate = static_cast<double>(part.scalars.learning_rate);
    outcome.clip_limit = static_cast<double>(part.scalars.clip_limit);
    outcome.loss_scale = scaler_.scale();
    if (!result.applied && !scaler_.active()) explain_window(nullptr);
    LossScaler scaler = scaler_;
    try {
        if (scaler.update(result.applied)) outcome.new_loss_scale = scaler.scale();
    } catch (const Error& error) {
        explain_window(&error);
    }
    if (scaler.skipped_in_a_row() == std::min(many_skipped, run_.updates_per_epoch))
        outcome.warning = overflow_warning(part.last);
    if (outcome.warning.empty()) outcome.warning = run_.executor->take_note();
    scaler_ = scaler;
    count(outcome);
}

void Stepper::count(const StepOutcome& outcome) {
    state_.batch_in_epoch += outcome.batches;
    state_.samples += outcome.samples;
    state_.epoch_samples += outcome.samples;
    state_.epoch_loss_sum += outcome.loss_sum;
    for (std::size_t i = 0; i < outcome.metric_sums.size(); ++i)
        state_.epoch_metric_sums[i] += outcome.metric_sums[i];
    if (outcome.applied) {
        ++state_.update;
    } else {
        ++state_.skipped_steps;
    }
}

std::optional<graph::NotFinite> Stepper::look_into(const data::Batch& batch, bool first) {
    ops::StepScalars used = scalars(&batch);
    used.first_in_window = first;
    return run_.executor->find_not_finite(batch.samples.data(), run_.train.targets->encode(batch),
                                          batch.size, used);
}

// Reads the window again and goes through its micro-batches in their order. The run ends with it:
// the pipeline stands somewhere else afterwards.
std::optional<graph::NotFinite> Stepper::look_into_window() try {
    data::Pipeline& pipeline = *run_.train.pipeline;
    pipeline.start_epoch(state_.epoch, state_.batch_in_epoch);
    for (std::int64_t k = 0; k < run_.config.training.gradient_accumulation_steps; ++k) {
        const data::Batch* batch = pipeline.next();
        if (batch == nullptr) break;
        if (auto found = look_into(*batch, k == 0)) return found;
    }
    return std::nullopt;
} catch (const Error&) {
    return std::nullopt;  // the data cannot be read again: no layer is named
}

// No smaller loss scale helps a forward pass.
void Stepper::explain_loss(const StepOutcome& outcome, const Part& part) {
    const bool one = outcome.batches == 1 && part.last != nullptr;
    explain(one ? look_into(*part.last, true) : look_into_window(), nullptr);
}

std::string Stepper::overflow_warning(const data::Batch* last) {
    std::optional<graph::NotFinite> found;
    if (last != nullptr) {
        run_.executor->keep_statistics();
        found = look_into(*last, true);
        run_.executor->put_back_statistics();
    }
    std::string scale = layers::number_text(scaler_.scale());
    return counted(std::min(many_skipped, run_.updates_per_epoch), "step in a row was skipped",
                   "steps in a row were skipped") +
           " and nothing was learnt: gradients overflow float16 at the "
           "fixed loss scale " +
           scale + (found ? ", first in " + place_of(*found) : std::string()) +
           ". Set training.loss_scale to \"dynamic\", or to a smaller number";
}

// The overflow may be in another rank's samples: where one finds the layer, it speaks for all.
void Stepper::explain_window(const Error* scaler_error) {
    std::optional<graph::NotFinite> found;
    run_.world->together([&] {
        found = look_into_window();
        if (found || run_.world->size() == 1) explain(found, scaler_error);
    });
    run_.world->together([&] { explain(std::nullopt, scaler_error); });
    throw Error(ErrorCode::internal, "a step failed without a reason", "stepper");
}

void Stepper::explain(const std::optional<graph::NotFinite>& found, const Error* scaler_error) {
    const std::string where = found ? place_of(*found) : std::string();
    if (scaler_error != nullptr)
        throw Error(ErrorCode::numeric, scaler_error->message(),
                    where.empty() ? scaler_error->where() : where, scaler_error->hint());
    if (const auto sample = first_sample_not_finite(*run_.train.source))
        throw Error(
            ErrorCode::numeric,
            "sample " + std::to_string(*sample) +
                " of the training data (from 0) holds a number that is not finite; update " +
                std::to_string(state_.update + 1) + " could not be done",
            where.empty() ? "data.source" : where,
            "Mend the data; the weights are as they were before this update");
    throw Error(ErrorCode::numeric,
                "the loss or its gradient is no longer a finite number at update " +
                    std::to_string(state_.update + 1),
                where.empty() ? "gradients" : where,
                "Try a smaller learning rate or gradient clipping; the weights are as they were "
                "before this update");
}

}  // namespace strata::train
