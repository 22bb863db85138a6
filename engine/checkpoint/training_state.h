// Where a training stands between two steps: all that a run needs beside its tensors to go on as if
// it had never stopped. Filled by the trainer, kept in every checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/core/json.h"

namespace strata::checkpoint {

struct LossScalerState {
    double scale = 32768.0;
    std::int64_t finite_steps = 0;  // in a row
};

// What was changed while training ran; unset: as the project says. A learning rate set by hand is
// in `schedule`.
struct LiveChanges {
    std::optional<double> clip_limit, weight_decay;
};

// Written as JSON into the file's group "strata". Numbers keep every bit, NaN and infinity too.
struct TrainingState {
    std::int64_t epoch = 0;           // whole epochs done
    std::int64_t batch_in_epoch = 0;  // micro-batches done in the current one
    std::int64_t update = 0;          // optimizer updates done (the optimizer's step count)
    // Where the run took another number of samples an update before: what the learning rate's clock
    // is ahead of `update`.
    std::int64_t schedule_offset = 0;
    std::int64_t skipped_steps = 0;  // windows whose gradient was not finite
    std::int64_t samples = 0;        // seen in all
    std::uint64_t seed = 1;
    double epoch_loss_sum = 0.0;  // partial sums of the current epoch
    std::vector<double> epoch_metric_sums;
    std::int64_t epoch_samples = 0;
    std::optional<double> best;  // of the monitored metric
    std::optional<LossScalerState> loss_scaler;
    LiveChanges live;
    Json schedule = Json();        // LearningRate's own state
    Json early_stopping = Json();  // EarlyStopping::state()
    Json fingerprint = Json();     // of the training data: Source::identity()
    Json log = Json();             // how far the run's log had been written
    Json project = Json();         // the project as run

    // How far the run is, in updates of now: at an epoch's end, of all its updates, but for those
    // that were skipped.
    std::int64_t schedule_update() const { return update + schedule_offset; }

    Json to_json() const;
    // Also what older versions wrote: what is absent is at its beginning. Throws Error{format}
    // where there is no state.
    static TrainingState from_json(const Json& json);
};

}  // namespace strata::checkpoint
