// One optimizer update: the micro-batches of a window, the step, and what follows from its result.
// Keeps to SEMANTICS "Order of one optimizer step". Used by the trainer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/train/loss_scaler.h"
#include "engine/train/prepared_run.h"

namespace strata::train {

struct StepOutcome {
    std::int64_t samples = 0;  // of all ranks; 0: the epoch has no more
    std::int64_t batches = 0;  // micro-batches
    double loss_sum = 0.0;     // over the window's samples
    std::vector<double> metric_sums;
    double gradient_norm = 0.0;
    double learning_rate = 0.0, loss_scale = 1.0, clip_limit = 0.0;
    bool applied = true;
    std::optional<double> new_loss_scale;  // where it changed
    std::string warning;                   // where too many steps in a row were skipped
    const data::Batch* batch = nullptr;  // this rank's last of the window, or null; valid until the
                                         // next step
};

class Stepper {
public:
    // Both outlive it. state: of a new run, or as it was read; goes on with each step.
    Stepper(PreparedRun& run, checkpoint::TrainingState& state);

    // Reads the next window from the training pipeline and trains on it; all ranks together, also
    // those that have no more samples. Throws Error{numeric} that
    // names the first layer whose numbers are not finite: in float32 and bfloat16 at once, in
    // float16 where a smaller loss scale cannot help; and what reading the data throws. Executor
    // and state are then as before the step, as far as is_whole().
    StepOutcome step();
    // Whether executor and state stand between two steps. False after a fault of the device.
    bool is_whole() const { return whole_; }

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
    // What a window gave on this rank.
    struct Part {
        const data::Batch* last = nullptr;
        std::int64_t samples = 0;
        ops::StepScalars scalars;
        std::optional<Error> fault;
    };
    // The next batch, which is on its way to the device while that works on the one before.
    struct Staged {
        const data::Batch* batch = nullptr;
        std::optional<Error> fault;  // of reading it
    };

    ops::StepScalars scalars(const data::Batch* batch) const;
    StepOutcome run_window();
    void run_batch(Part& part, bool first, bool last);
    const data::Batch* read_batch(Part& part);
    void share(Part& part, StepOutcome& outcome);
    graph::UpdateResult update(StepOutcome& outcome, Part& part);
    void stage_next(StepOutcome& outcome, Part& part);
    void finish(StepOutcome& outcome, Part& part);
    void count(const StepOutcome& outcome);
    bool put_back_statistics() noexcept;

    // ---- what is not finite
    std::optional<graph::NotFinite> look_into(const data::Batch& batch, bool first);
    std::optional<graph::NotFinite> look_into_window();
    [[noreturn]] void explain_loss(const StepOutcome& outcome, const Part& part);
    std::string overflow_warning(const data::Batch* last);
    [[noreturn]] void explain_window(const Error* scaler_error);
    [[noreturn]] void explain(const std::optional<graph::NotFinite>& found,
                              const Error* scaler_error);

    PreparedRun& run_;
    checkpoint::TrainingState& state_;
    LossScaler scaler_;
    Staged staged_;
    data::Batch shown_;  // the last one, where its place in the pipeline is the next one's
    bool updating_ = false, whole_ = true;
};

}  // namespace strata::train
