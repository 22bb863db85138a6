// Which layers compute their activations again so that a plan fits a memory limit: as little more
// work as possible. Called when a run is prepared, and by predictions.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/graph/planned_run.h"

namespace strata::graph {

// Marks layers of `model` (LayerNode::recompute) until its memory is within `limit` bytes, and
// returns the names of those that it marked: none where it fits already. Throws
// Error{out_of_memory} where no choice of layers is enough: with the least that it reached, what
// takes most of that, and which other changes the planner found to need less (memory_advice).
// memory_of: where other processes keep a share of what the model holds.
std::vector<std::string> fit_by_recomputation(Model& model, const TrainingSetup& setup,
                                              const ExecutorOptions& options, std::size_t limit,
                                              const MemoryOf& memory_of = memory_alone);

// Tries sets of layers on the plan of a training step. The rest of a run's memory stays as it is.
class RecomputationSearch {
public:
    RecomputationSearch(const Model& model, const TrainingSetup& setup,
                        const ExecutorOptions& options);

    // Layers to mark, by their place in the model; those that are marked in it anyway come on top.
    struct Choice {
        std::vector<bool> marked;
        std::size_t bytes = 0;  // of the whole arena
        double work = 0.0;      // of what is computed again: FLOPs, and bytes at what they cost
    };
    // The one of least work within the limit; where none is, that of the fewest bytes. Of up to
    // `exhaustive` layers all sets are tried in the order of their work; of more, stretches of
    // equal length and what a greedy choice by bytes a unit of work gives, each then pruned.
    Choice best_within(std::size_t limit);
    static constexpr std::size_t exhaustive = 8;

    Choice tried(std::vector<bool> marked);  // planned once
    // Layers that would compute something again if all were marked, in the model's order.
    const std::vector<std::size_t>& candidates() const { return candidates_; }
    Model marked_model(const Choice& choice) const;

private:
    Plan training_plan(const Model& model) const;
    std::vector<bool> none() const { return std::vector<bool>(model_.layers.size(), false); }
    Choice try_all_sets(std::size_t limit);
    Choice try_starts(std::size_t limit);
    Choice grown(std::size_t limit);
    Choice pruned(Choice choice, std::size_t limit);

    const Model& model_;
    PlannedRun run_;
    device::MemoryBudget others_;  // what the passes but training need
    std::size_t scratch_ = 0;
    std::vector<std::size_t> candidates_;
    std::vector<double> work_;  // of each candidate
    std::map<std::vector<bool>, Choice> known_;
    Choice least_;
};

}  // namespace strata::graph
