// What a project asks of the planner: its model, batches and placement as prepare_run() plans them.
// Of several processes (placement.ranks): those of the first, with all of them on this machine.
// Used by `strata plan` and the studio.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/parallel/planner.h"
#include "engine/train/run_config.h"

namespace strata::train {

// Of the data that a project names.
struct DataSize {
    std::int64_t samples = 0, test_samples = 0;  // before the validation split; 0: none
    DType dtype = DType::uint8;                  // of a sample, as the source gives it
};

// Opens the sources without holding their samples. Throws Error as data::open_source does; nothing
// where the project names no data.
std::optional<DataSize> data_size(const RunConfig& config);

// size: unknown where empty; then batches are full ones of bytes. Throws Error as a run's
// preparation does: the model, the training settings, recomputation that cannot meet its limit.
parallel::PlanRequest plan_request(const RunConfig& config, const std::optional<DataSize>& size);

}  // namespace strata::train
