// From a device for each layer to the stages of a pipeline. Used by the executor of several devices
// and by the planner.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/model.h"
#include "engine/parallel/pipeline_schedule.h"
#include "engine/parallel/placement.h"

namespace strata::parallel {

// Whether one plan on one device runs this (graph::Executor), or several devices work together.
bool runs_on_one_device(const graph::Model& model, const PlacementOptions& placement);

// A stage: layers on one device that a micro-batch goes through without waiting for another device.
struct Stages {
    std::vector<std::string> devices;  // "cpu:0", in the order in which the model meets them
    StageGraph graph;                  // device: into devices; readers come after what they read
    std::vector<std::vector<int>> layers;  // of each stage, in the report's order
    std::vector<int> of_layer;             // the stage of each of the model's layers
    int input = 0, output = 0;             // the stages of the input layer and of the loss
};

// Throws Error{invalid_argument} unless it is "cpu:" or "cuda:" and a number. where: its key.
void require_device_name(const std::string& device, const std::string& where);

// A layer joins the stage of its device that lies as many changes of device behind the input as it
// does itself; so no stage waits for one that waits for it. The model must be valid. Throws
// Error{invalid_argument} that names a layer whose device has no device's name.
Stages find_stages(const graph::Model& model, const graph::ModelReport& report);

}  // namespace strata::parallel
