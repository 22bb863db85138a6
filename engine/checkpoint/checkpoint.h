// Checkpoints of a run: a snapshot taken between two steps, written whole or not at all, kept by
// rule.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/interop/keras_h5.h"

namespace strata::checkpoint {

// Where training stands. Written as JSON into the file's group "strata".
struct TrainingState {
    std::int64_t epoch = 0;           // whole epochs done
    std::int64_t batch_in_epoch = 0;  // batches done in the current one
    std::int64_t update = 0;          // optimizer updates done (the optimizer's step count)
    std::int64_t samples = 0;         // seen in all
    std::uint64_t seed = 1;
    double epoch_loss_sum = 0.0;  // partial sums of the current epoch
    std::vector<double> epoch_metric_sums;
    std::int64_t epoch_samples = 0;
    std::optional<double> best;  // of the monitored metric
    Json project = Json();       // the project as run

    Json to_json() const;
    static TrainingState from_json(const Json& json);
};

// Writes `executor`'s weights and optimizer with `state` to `path` through io::AtomicFile:
// temporary, fsync, reopen and verify, rename. Throws Error{io}; an older file of that name stays
// whole.
void save(const graph::Executor& executor, const TrainingState& state, const Json& compile,
          const std::string& path);

// Puts a checkpoint into an executor of the same model.
TrainingState load(graph::Executor& executor, const std::string& path);

// Of a run directory's "last.h5" and "best.h5" the whole one with more updates behind it ("last.h5"
// where they are equal), or "" where there is none. damaged: gets the paths that were left out.
// Throws what reading throws where a file cannot be read at all.
std::string newest(const std::string& run_directory, std::vector<std::string>* damaged = nullptr);

}  // namespace strata::checkpoint
