// The plans of a run with their kernels, and the memory that they need together: what the executor
// puts into its arena and what predict_memory answers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/graph/compiled_program.h"
#include "engine/graph/executor.h"

namespace strata::graph {

// Samples that a probe looks at; the other plans need more memory.
inline constexpr std::int64_t probe_batch = 32;

// What a run of a model takes of its device, as predict_memory answers it for one that has all of
// it for itself.
using MemoryOf =
    std::function<device::MemoryBudget(const Model&, const TrainingSetup&, const ExecutorOptions&)>;
device::MemoryBudget memory_alone(const Model& model, const TrainingSetup& setup,
                                  const ExecutorOptions& options);

// A plan with its kernels, and what the executor binds them to.
struct Pass {
    Plan plan;
    std::unique_ptr<CompiledProgram> code;
    std::vector<void*> addresses;
    void* own_scratch = nullptr;  // only where a plan made later needs more than the arena's
};

struct PlannedRun {
    // Opens the device and plans every batch of the options; allocates nothing there.
    PlannedRun(Model model, const TrainingSetup* setup, const ExecutorOptions& options);

    Pass& compile(Mode mode, std::int64_t batch);
    // The most that any pass needs of each category, the kernels' scratch behind the workspace.
    device::MemoryBudget budget() const;
    std::size_t scratch_offset() const;  // of it in the workspace
    // Of the statistics as they were before a window, in the workspace.
    std::size_t kept_offset() const;
    std::size_t kept_bytes() const;
    // Where the device works beside the host: of the next batch, behind the inputs.
    std::size_t feed_offset() const;
    std::size_t feed_bytes() const;

    Model model;
    ExecutorOptions options;
    std::optional<TrainingSetup> setup;
    ModelReport report;
    StateLayout state;
    std::unique_ptr<device::Device> device;
    ops::QueuedDevice* queued = nullptr;  // the device, where it is one
    ops::Backend* backend = nullptr;
    std::map<std::pair<Mode, std::int64_t>, std::unique_ptr<Pass>> passes;

private:
    bool planned_ahead(Mode mode) const;
    device::MemoryBudget plans_budget() const;
};

}  // namespace strata::graph
