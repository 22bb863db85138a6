// What must be the same in a run that goes on: else its position in the data, its sums and its best
// value would be of another run. Used by set_weights.
#pragma once

#include <cstdint>
#include <string>

#include "engine/checkpoint/training_state.h"
#include "engine/core/error.h"
#include "engine/core/json.h"

namespace strata::train {

// The first key whose value differs between two projects as run ("model", "data.pipeline.batch",
// "training.seed", ...), or "". Epochs, the learning rate and other optimizer settings,
// checkpoints, threads, prefetch and cache may change; so may the directory of data files, and
// batch, replicas, processes and window where the run can find its place again
// (take_other_batches).
std::string first_difference(const Json& before, const Json& now);

// That the run was made with another value of that key (first_difference), and how it can go on:
// where processes have gone or come, with which numbers of them.
Error difference_error(const std::string& key, const checkpoint::TrainingState& state,
                       const Json& now);

// The same for the data themselves, by Source::identity(). Throws Error{invalid_argument} where
// there are more or fewer of them, or of another shape: the position in them and the split would
// be of those before. Where the content alone is another, as when a damaged sample was mended, a
// run may go on: the answer is a warning, or "". Nothing is known of older checkpoints.
std::string compare_data(const Json& before, const Json& now);

// What an epoch of now has: the rows of the training data, those of them that are seen, batches of
// all processes together, updates.
struct EpochSize {
    std::int64_t rows = 0, samples = 0, batches = 0, updates = 0;
};

// Where the run now takes another number of samples at a time or an update than before (by other
// processes or replicas, smaller micro-batches, another window): its position in the epoch, in
// batches of now, and the learning rate's clock, in updates of now. The answer is a warning, or "".
// Throws Error{invalid_argument} where a batch of now would begin before that position; it names
// settings with which none does.
std::string take_other_batches(checkpoint::TrainingState& state, const Json& now,
                               const EpochSize& epoch);

// Where the learning rate is scaled by the number of replicas, of all processes, and it is another
// now: that it changes, as a warning; else "".
std::string other_scale(const Json& before, const Json& now);

// A setting that was changed by hand goes on, unless the project has another value than then.
void drop_changed(checkpoint::LiveChanges& live, const Json& before, const Json& now);

// Whether both choose the best checkpoint by the same value.
bool same_monitor(const Json& before, const Json& now);

}  // namespace strata::train
