// Models that the tests of the graph share, and settings to train them.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/graph/model.h"

namespace strata::graph::testing {

inline Json layer(const std::string& name, const std::string& type,
                  const Json& config = Json::object()) {
    return {{"name", name}, {"type", type}, {"config", config}};
}

inline Json layer(const std::string& name, const std::string& type, const Json& config,
                  const std::vector<std::string>& inputs) {
    Json entry = layer(name, type, config);
    entry["inputs"] = inputs;
    return entry;
}

inline Model model_of(const std::vector<Json>& layers) {
    return Model::from_json({{"layers", layers}});
}

inline Model classic() {
    return model_of({layer("input", "InputLayer", {{"shape", {28, 28, 1}}}),
                     layer("rescaling", "Rescaling"), layer("flatten", "Flatten"),
                     layer("hidden", "Dense", {{"units", 128}, {"activation", "relu"}}),
                     layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
}

inline Model cnn() {
    return model_of(
        {layer("input", "InputLayer", {{"shape", {28, 28, 1}}}), layer("rescaling", "Rescaling"),
         layer("conv_1", "Conv2D", {{"filters", 8}, {"kernel_size", 3}, {"activation", "relu"}}),
         layer("pool_1", "MaxPooling2D"),
         layer("conv_2", "Conv2D", {{"filters", 16}, {"kernel_size", 3}, {"activation", "relu"}}),
         layer("pool_2", "MaxPooling2D"), layer("flatten", "Flatten"),
         layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}})});
}

// Every way in which layers can be joined: a value with three readers, Add of a layer with itself,
// both merges, batch normalisation, dropout, in-place activations after a shared value.
inline Model branches(const std::string& bend = "relu",
                      const std::string& pooling = "MaxPooling2D") {
    return model_of(
        {layer("input", "InputLayer", {{"shape", {6, 6, 2}}}),
         layer("stem", "Conv2D", {{"filters", 4}, {"kernel_size", 3}, {"padding", "same"}}),
         layer("norm", "BatchNormalization"), layer("act", "Activation", {{"activation", "tanh"}}),
         layer("left", "Conv2D",
               {{"filters", 4}, {"kernel_size", 3}, {"padding", "same"}, {"activation", bend}},
               {"act"}),
         layer("right", "Activation", {{"activation", "silu"}}, {"act"}),
         layer("twice", "Add", Json::object(), {"act", "act"}),
         layer("sum", "Add", Json::object(), {"left", "right", "twice"}),
         layer("drop", "Dropout", {{"rate", 0.25}}, {"sum"}),
         layer("cat", "Concatenate", Json::object(), {"drop", "left"}),
         layer("pool", pooling, Json::object(), {"cat"}),
         layer("mean", "GlobalAveragePooling2D", Json::object(), {"cat"}),
         layer("flatten", "Flatten", Json::object(), {"pool"}),
         layer("joined", "Concatenate", Json::object(), {"flatten", "mean"}),
         layer("hidden", "Dense", {{"units", 6}, {"activation", "gelu"}}, {"joined"}),
         layer("output", "Dense", {{"units", 3}, {"activation", "softmax"}}, {"hidden"})});
}

// branches() without what depends on the batch as a whole.
inline Model batchless() {
    Model model = branches();
    model.layers[static_cast<std::size_t>(model.index_of("norm"))] =
        model_of({layer("input", "InputLayer", {{"shape", {6, 6, 4}}}),
                  layer("norm", "Activation", {{"activation", "softsign"}})})
            .layers[1];
    model.layers[static_cast<std::size_t>(model.index_of("norm"))].inputs = {"stem"};
    return model;
}

inline Json sharing(const std::string& name, const std::string& type, const std::string& owner,
                    const std::string& input) {
    return {{"name", name}, {"type", type}, {"shares", owner}, {"inputs", {input}}};
}

// Tied weights, in a row and in branches: the model of tests/references/make_tied.py.
inline Model tied() {
    const Json tanh{{"activation", "tanh"}}, none = Json::object();
    return model_of(
        {layer("input", "InputLayer", {{"shape", {4, 4, 2}}}),
         layer("conv", "Conv2D",
               {{"filters", 2}, {"kernel_size", 3}, {"padding", "same"}, {"activation", "tanh"}}),
         sharing("conv_again", "Conv2D", "conv", "conv"),
         layer("flatten", "Flatten", none, {"conv_again"}),
         layer("proj", "Dense", {{"units", 5}, {"activation", "tanh"}}, {"flatten"}),
         layer("mid", "Dense", {{"units", 5}, {"activation", "tanh"}}, {"proj"}),
         sharing("mid_again", "Dense", "mid", "mid"),
         layer("gate", "Activation", {{"activation", "sigmoid"}}, {"proj"}),
         sharing("mid_beside", "Dense", "mid", "gate"),
         layer("sum", "Add", none, {"mid_again", "mid_beside"}),
         layer("output", "Dense", {{"units", 3}, {"activation", "softmax"}}, {"sum"})});
}

inline TrainingSetup setup_of(const std::string& optimizer = "SGD",
                              const Json& config = Json::object(),
                              const std::string& loss = "sparse_categorical_crossentropy",
                              const std::vector<std::string>& metrics = {"accuracy"}) {
    TrainingSetup setup;
    setup.loss = &losses::find_loss(loss);
    for (const std::string& name : metrics) setup.metrics.push_back(&metrics::find_metric(name));
    setup.optimizer = &optimizers::find_optimizer(optimizer);
    setup.optimizer_config = layers::Config::checked(setup.optimizer->params, config);
    return setup;
}

inline std::vector<std::int32_t> labels_of(std::int64_t n, std::int32_t classes) {
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < n; ++i)
        labels.push_back(static_cast<std::int32_t>((7 * i + 2) % classes));
    return labels;
}

inline ExecutorOptions options_of(std::int64_t batch, DType input = DType::float32) {
    ExecutorOptions options;
    options.batch = batch;
    options.input_dtype = input;
    return options;
}

inline ops::StepScalars scalars_of(float learning_rate, std::int64_t update = 1) {
    ops::StepScalars scalars;
    scalars.seed = 1;
    scalars.learning_rate = learning_rate;
    scalars.update = update;
    scalars.step = static_cast<std::uint32_t>(update - 1);
    return scalars;
}

}  // namespace strata::graph::testing
