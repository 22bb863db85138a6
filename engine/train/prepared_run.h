// Everything that a run needs before its first step: data, plan, device, directory. Used by the
// trainer.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/data/pipeline.h"
#include "engine/graph/executor.h"
#include "engine/schedules/learning_rate.h"
#include "engine/train/checkpoint_keeper.h"
#include "engine/train/early_stopping.h"
#include "engine/train/evaluation.h"
#include "engine/train/events.h"
#include "engine/train/rate_scaling.h"
#include "engine/train/run_config.h"
#include "engine/train/world.h"

namespace strata::train {

// One part of the data on its way into the executor.
struct DataPart {
    std::shared_ptr<data::Source> source;
    std::unique_ptr<data::Pipeline> pipeline;
    std::unique_ptr<TargetEncoder> targets;

    explicit operator bool() const { return pipeline != nullptr; }
};

struct PreparedRun {
    RunConfig config;  // with absolute paths: as it is written into the run directory
    graph::TrainingSetup setup;
    std::unique_ptr<graph::ModelExecutor> executor;
    DataPart train, validation, test;
    std::unique_ptr<CheckpointKeeper> keeper;
    std::unique_ptr<EarlyStopping> early_stopping;
    std::unique_ptr<schedules::LearningRate> learning_rate;
    RateScaling rate_scaling;
    World* world = nullptr;  // never null once prepared
    std::int64_t batches_per_epoch = 0, updates_per_epoch = 0;
    std::vector<std::string> recomputed;  // layers that the memory limit asks for
    Json fingerprint;                     // of the training data
    std::vector<std::string> warnings;    // before step 1
};

// Opens the data, checks that they fit the model, plans and allocates. Every fault that can be
// known before step 1 is thrown here. Weights are not yet set. By all ranks of the world, which
// outlives the run: where the memory of one of them is too small for its batches, all take halves
// of them, and twice as many an update.
PreparedRun prepare_run(const RunConfig& config, World& world);

// What was planned, but for the run's directory and the updates done before.
PlanEvent plan_of(const PreparedRun& run);

// The last batch on several devices; nothing where there is one device, or no batch yet.
std::optional<TimelineEvent> timeline_of(const graph::ModelExecutor& executor);

}  // namespace strata::train
