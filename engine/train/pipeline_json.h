// The stages of data.pipeline in a project file. Called by the project's reader and the run's
// start.
#pragma once

#include "engine/train/run_config.h"

namespace strata::train {

// Sets data.cache and data.pipeline. Throws Error naming the stage ("data.pipeline[1]") or its key.
void read_pipeline(const Json& list, DataConfig& data);
Json pipeline_to_json(const DataConfig& data);

// What the user should know about the stages as they stand: one sentence each.
std::vector<std::string> pipeline_warnings(const DataConfig& data);

// What the training pipeline is opened with.
data::PipelineOptions training_pipeline(const DataConfig& data);
// Samples in the source's order, none left out, not augmented: for validation and test data.
data::PipelineOptions evaluation_pipeline(const DataConfig& data);
// Whether the source itself is to hold its samples, where it has the choice (data::open_source).
bool source_in_memory(const DataConfig& data);

}  // namespace strata::train
