// A model with weights and optimizer state as a KerasFile, for tests of files.
#pragma once

#include "engine/interop/keras_h5.h"
#include "tests/engine/graph/models.h"

namespace strata::interop::testing {

inline KerasFile filled_file(const graph::Model& model, const std::string& optimizer = "Adam",
                             const Json& config = Json::object()) {
    const graph::TrainingSetup setup = graph::testing::setup_of(optimizer, config);
    graph::Executor executor(model, &setup, graph::testing::options_of(2));
    executor.initialize(5);
    KerasFile file;
    file.model = model;
    float next = 0.0F;
    for (graph::HostTensor& tensor : executor.snapshot(true)) {
        for (float& value : tensor.values) value += next += 0.0625F;
        (tensor.slot.empty() ? file.weights : file.optimizer).push_back(std::move(tensor));
    }
    file.compile["optimizer"] = {{"type", optimizer}, {"config", config}};
    file.compile["loss"] = "sparse_categorical_crossentropy";
    file.compile["metrics"] = Json::array({"accuracy"});
    file.training_state = {{"update", 7}, {"seed", 3}};
    return file;
}

}  // namespace strata::interop::testing
