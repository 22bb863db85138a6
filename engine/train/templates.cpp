// The projects that `strata new` and the welcome page offer.
#include "engine/core/error.h"
#include "engine/train/run_config.h"

namespace strata::train {
namespace {

Json layer(const char* name, const char* type, const char* input, Json config = Json::object()) {
    Json entry = {{"name", name}, {"type", type}};
    if (!config.empty()) entry["config"] = std::move(config);
    if (*input != '\0') entry["inputs"] = {input};
    return entry;
}

Json classic_layers() {
    return {layer("input", "InputLayer", "", {{"shape", {28, 28, 1}}}),
            layer("rescaling", "Rescaling", "input", {{"scale", 1.0 / 255.0}}),
            layer("flatten", "Flatten", "rescaling"),
            layer("hidden", "Dense", "flatten", {{"units", 128}, {"activation", "relu"}}),
            layer("classes", "Dense", "hidden", {{"units", 10}, {"activation", "softmax"}})};
}

Json cnn_layers() {
    const auto convolution = [](int filters) {
        return Json{{"filters", filters},
                    {"kernel_size", {3, 3}},
                    {"padding", "same"},
                    {"activation", "relu"}};
    };
    return {layer("input", "InputLayer", "", {{"shape", {28, 28, 1}}}),
            layer("rescaling", "Rescaling", "input", {{"scale", 1.0 / 255.0}}),
            layer("conv_1", "Conv2D", "rescaling", convolution(32)),
            layer("pool_1", "MaxPooling2D", "conv_1"),
            layer("conv_2", "Conv2D", "pool_1", convolution(64)),
            layer("pool_2", "MaxPooling2D", "conv_2"),
            layer("flatten", "Flatten", "pool_2"),
            layer("dropout", "Dropout", "flatten", {{"rate", 0.25}}),
            layer("classes", "Dense", "dropout", {{"units", 10}, {"activation", "softmax"}})};
}

}  // namespace

const std::vector<Template>& templates() {
    static const std::vector<Template> all{
        {"classic", "Fashion-MNIST classic",
         "Two dense layers that sort pictures of clothes: the first network to train."},
        {"cnn", "Fashion-MNIST CNN",
         "Convolutions and pooling before the classifier: slower, and more often right."}};
    return all;
}

RunConfig make_template(const std::string& name) {
    std::string names;
    for (const Template& entry : templates()) {
        if (entry.name != name) {
            names += (names.empty() ? "" : ", ") + entry.name;
            continue;
        }
        const auto source = [](const char* split) {
            return Json{{"type", "idx"}, {"dataset", "fashion-mnist"}, {"split", split}};
        };
        RunConfig config;
        config.name = entry.title;
        config.model =
            graph::Model::from_json({{"layers", name == "cnn" ? cnn_layers() : classic_layers()}});
        config.data.source = source("train");
        config.data.test = source("test");
        config.data.pipeline.seed = config.training.seed;
        return config;
    }
    std::vector<std::string> known;
    for (const Template& entry : templates()) known.push_back(entry.name);
    const std::string near = nearest_word(name, known);
    throw Error(ErrorCode::not_found, "there is no template '" + name + "'", "template",
                near.empty() ? "Templates: " + names : "Did you mean '" + near + "'?");
}

}  // namespace strata::train
