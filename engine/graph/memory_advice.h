// What takes a plan's memory, and which changes of a project the planner finds to need less. For
// messages; plans several times, so not for a window's thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/graph/planned_run.h"

namespace strata::graph {

// The largest part of a plan.
struct MemoryPeak {
    device::Category category = device::Category::activations;
    std::size_t bytes = 0;  // of the category
    std::string layer;      // that needs most of it; of activations: when they are most
    std::size_t layer_bytes = 0;
    std::string at_work;    // of activations: the layer that then computes
    bool backward = false;  // and whether in the backward pass
};
MemoryPeak memory_peak(const Model& model, const TrainingSetup& setup,
                       const ExecutorOptions& options, const MemoryOf& memory_of = memory_alone);

// A change, in words, and what memory_of says of the project with it and with the
// recomputation that then needs least.
struct MemoryAlternative {
    std::string change;  // "a batch_size of 32 with 2 times the gradient_accumulation_steps"
    std::size_t bytes = 0;
};
// Those that need less than `bytes`, least first: half the batch, then a half of that and so on
// until `limit` is met, with as many micro-batches more; the 16-bit policies.
std::vector<MemoryAlternative> memory_alternatives(const Model& model, const TrainingSetup& setup,
                                                   const ExecutorOptions& options,
                                                   std::size_t bytes, std::size_t limit,
                                                   const MemoryOf& memory_of = memory_alone);

// That `model`, with the marks that need least, does not fit: with its peak and the alternatives.
Error misfit_error(const Model& model, const TrainingSetup& setup, const ExecutorOptions& options,
                   std::size_t limit, const MemoryOf& memory_of = memory_alone);

}  // namespace strata::graph
