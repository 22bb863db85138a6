// A snapshot without a training behind it: every value follows from the number of the update, so
// that a checkpoint which was read can be compared with what was meant.
#pragma once

#include <string>

#include "engine/checkpoint/checkpoint.h"
#include "tests/engine/graph/models.h"

namespace strata::faults {

inline float value_of(std::int64_t update, std::size_t element) {
    return static_cast<float>((static_cast<std::size_t>(update) * 7919 + element * 31) % 65521);
}

inline const Json& compile() {
    static const Json json = {{"optimizer", {{"type", "Adam"}, {"config", Json::object()}}},
                              {"loss", "sparse_categorical_crossentropy"},
                              {"metrics", {"accuracy"}}};
    return json;
}

// A kernel of width * width floats, a bias and an output of ten, with Adam's two slots.
inline checkpoint::Snapshot synthetic_snapshot(std::int64_t update, int width) {
    using graph::testing::layer;
    checkpoint::Snapshot snapshot;
    snapshot.model = graph::testing::model_of(
        {layer("input", "InputLayer", {{"shape", {width}}}),
         layer("hidden", "Dense", {{"units", width}, {"activation", "relu"}}),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
    const graph::ModelReport report = graph::require_valid(snapshot.model);
    for (const bool slots : {false, true})
        for (std::size_t i = 0; i < report.layers.size(); ++i)
            for (const auto& variable : report.layers[i].variables)
                for (const char* slot : {"", "momentum", "velocity"}) {
                    if (slots != (*slot != '\0')) continue;
                    graph::HostTensor tensor{
                        snapshot.model.layers[i].name, variable.role, slot, variable.shape, {}};
                    tensor.values.resize(static_cast<std::size_t>(variable.shape.elements()));
                    for (std::size_t e = 0; e < tensor.values.size(); ++e)
                        tensor.values[e] = value_of(update, e + snapshot.tensors.size());
                    snapshot.tensors.push_back(std::move(tensor));
                }
    snapshot.state.update = update;
    snapshot.compile = compile();
    return snapshot;
}

// "" where `file` is what synthetic_snapshot(its update) gave, else what is wrong.
inline std::string fault_of(const interop::KerasFile& file, int width) {
    const auto state = checkpoint::TrainingState::from_json(file.training_state);
    const checkpoint::Snapshot wanted = synthetic_snapshot(state.update, width);
    std::vector<graph::HostTensor> read = file.weights;
    read.insert(read.end(), file.optimizer.begin(), file.optimizer.end());
    if (read.size() != wanted.tensors.size()) return "another number of tensors";
    for (std::size_t i = 0; i < read.size(); ++i)
        if (read[i].values != wanted.tensors[i].values)
            return "other values in " + read[i].layer + "/" + read[i].role + " " + read[i].slot;
    return {};
}

}  // namespace strata::faults
