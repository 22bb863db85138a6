// One optimizer update: the micro-batches of a window, the step, and what follows from its result.
// Keeps to SEMANTICS "Order of one optimizer step". Used by the trainer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/train/loss_scaler.h"
#include "engine/train/prepared_run.h"

namespace strata::train {

struct StepOutcome {
    std::int64_t samples = 0;  // 0: the epoch has no more
    double loss_sum = 0.0;     // over the window's samples
    std::vector<double> metric_sums;
    double gradient_norm = 0.0;
    double learning_rate = 0.0, loss_scale = 1.0, clip_limit = 0.0;
    bool applied = true;
    std::optional<double> new_loss_scale;  // where it changed
    const data::Batch* batch = nullptr;    // the window's last; valid until the next step
};

class Stepper {
public:
    // Both outlive it. state: of a new run, or as it was read; goes on with each step.
    Stepper(PreparedRun& run, checkpoint::TrainingState& state);

    // Reads the next window from the training pipeline and trains on it. Throws Error{numeric} that
    // names the first layer whose numbers are not finite: in float32 and bfloat16 at once, in
    // float16 where a smaller loss scale cannot help. The weights are then as before the step.
    StepOutcome step();

    double learning_rate() const;
    double clip_limit() const;    // 0: no clipping
    double weight_decay() const;  // 0: none
    // Changes by hand, from the next step on; kept in the state.
    void set_learning_rate(double rate);
    void set_clip_limit(double limit);
    void set_weight_decay(double decay);

    // What the state needs of the parts that have one.
    void save_state();

private:
    ops::StepScalars scalars(std::int64_t first_sample) const;
    [[noreturn]] void explain(const data::Batch& batch, const ops::StepScalars& scalars,
                              const Error* scaler_error);
    StepOutcome finish(StepOutcome outcome, const data::Batch& last, ops::StepScalars scalars);

    PreparedRun& run_;
    checkpoint::TrainingState& state_;
    LossScaler scaler_;
};

}  // namespace strata::train
