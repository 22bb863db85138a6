#include "engine/train/process_share.h"

#include "engine/core/error.h"
#include "engine/graph/recomputation.h"
#include "engine/parallel/placed_model.h"
#include "engine/parallel/stages.h"

namespace strata::train {

std::vector<std::string> fit_process(graph::Model& model, const graph::TrainingSetup& setup,
                                     const graph::ExecutorOptions& options,
                                     const RecomputationConfig& config,
                                     const parallel::PlacementOptions& placement, int ranks) {
    if (config.memory_limit <= 0) return {};
    if (!parallel::runs_on_one_device(model, placement))
        throw Error(ErrorCode::unsupported, "fits the memory of one device only",
                    "training.recomputation.memory_limit",
                    "Mark the layers to recompute one by one: model.layers.NAME.recompute");
    const auto limit = static_cast<std::size_t>(config.memory_limit);
    if (ranks == 1) return graph::fit_by_recomputation(model, setup, options, limit);
    // All ranks mark the same layers: those of the first, whose share is the largest.
    const auto memory_of = [&](const graph::Model& one, const graph::TrainingSetup& changed,
                               const graph::ExecutorOptions& changed_options) {
        const parallel::PlacedModel placed(one, &changed, changed_options, placement, false,
                                           {0, ranks});
        return placed.part(0, 0).budget();
    };
    return graph::fit_by_recomputation(model, setup, options, limit, memory_of);
}

}  // namespace strata::train
