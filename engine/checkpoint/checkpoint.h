// Checkpoints of a run: a snapshot taken between two steps, written whole or not at all, and found
// again. Writing in the background is Writer's, which of them stay is Retention's.
#pragma once

#include <string>
#include <vector>

#include "engine/checkpoint/training_state.h"
#include "engine/graph/executor.h"
#include "engine/interop/keras_h5.h"

namespace strata::checkpoint {

// Models that a run writes beside its checkpoints: what early stopping puts back, and the averaged
// weights. They are no places in a training, and nothing goes on from them.
inline constexpr const char* kept_file = "early_stopping.h5";
inline constexpr const char* average_file = "average.h5";

// All that a file will hold, on the host: training may go on meanwhile.
struct Snapshot {
    graph::Model model;
    std::vector<graph::HostTensor> tensors;  // as Executor::snapshot gives them
    TrainingState state;
    Json compile;  // as KerasFile::compile
};

// Writes `snapshot` to `path` through io::AtomicFile: temporary, fsync, reopen and verify, rename.
// Throws Error{io}; an older file of that name stays whole. The snapshot is the same afterwards.
void write(Snapshot& snapshot, const std::string& path);

// The same for what `executor` holds now.
void save(const graph::ModelExecutor& executor, const TrainingState& state, const Json& compile,
          const std::string& path);

// Puts a checkpoint into an executor of the same model. all: where it is given, gets every tensor
// that the file holds.
TrainingState load(graph::ModelExecutor& executor, const std::string& path,
                   std::vector<graph::HostTensor>* all = nullptr);

// Of all "*.h5" in a run directory that hold a training state, those two left out, the whole one
// with most updates behind it ("last.h5", then the younger file, where they are equal), or "" where
// there is none. damaged: gets the paths that were found to be unreadable on the way. Throws what
// reading throws where a file cannot be read at all (no permission, no memory).
std::string newest(const std::string& run_directory, std::vector<std::string>* damaged = nullptr);

}  // namespace strata::checkpoint
