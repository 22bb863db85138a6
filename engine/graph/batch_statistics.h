// By how many samples a model normalises: what cutting batches changes of its results. For
// messages.
#pragma once

#include <cstdint>
#include <string>

#include "engine/graph/model.h"

namespace strata::graph {

// The samples by whose mean and variance its BatchNormalization layers normalise in training, where
// each of the replicas takes `own` at a time; the fewest, where the layers differ. 0: it has none.
std::int64_t normalized_by(const Model& model, std::int64_t own, int replicas = 1);
// " (BatchNormalization then normalises by 32 samples)", behind a change of a batch; else "".
std::string note_of_statistics(const Model& model, std::int64_t own, int replicas = 1);

}  // namespace strata::graph
