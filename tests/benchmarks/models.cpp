#include "models.h"

namespace strata::benchmarks {
namespace {

Json layer(const char* name, const char* type, Json config, const char* input) {
    return {{"name", name}, {"type", type}, {"config", std::move(config)}, {"inputs", {input}}};
}

Json conv(const char* name, int filters, const char* input) {
    return layer(name, "Conv2D",
                 {{"filters", filters},
                  {"kernel_size", {3, 3}},
                  {"padding", "same"},
                  {"activation", "relu"}},
                 input);
}

}  // namespace

int image_side(const std::string& name) {
    return name == "wide" ? 32 : 28;
}

graph::Model make_model(const std::string& name) {
    Json layers = Json::array();
    const int side = image_side(name);
    layers.push_back(
        {{"name", "input"}, {"type", "InputLayer"}, {"config", {{"shape", {side, side, 1}}}}});
    layers.push_back(layer("scale", "Rescaling", {{"scale", 1.0 / 255.0}}, "input"));
    if (name == "classic") {
        layers.push_back(layer("flatten", "Flatten", Json::object(), "scale"));
        layers.push_back(
            layer("hidden", "Dense", {{"units", 128}, {"activation", "relu"}}, "flatten"));
        layers.push_back(
            layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, "hidden"));
    } else if (name == "cnn") {
        const Json pool = {{"pool_size", {2, 2}}};
        layers.push_back(conv("conv_1", 32, "scale"));
        layers.push_back(layer("pool_1", "MaxPooling2D", pool, "conv_1"));
        layers.push_back(conv("conv_2", 64, "pool_1"));
        layers.push_back(layer("pool_2", "MaxPooling2D", pool, "conv_2"));
        layers.push_back(layer("flatten", "Flatten", Json::object(), "pool_2"));
        layers.push_back(layer("dropout", "Dropout", {{"rate", 0.25}}, "flatten"));
        layers.push_back(
            layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, "dropout"));
    } else if (name == "wide") {
        layers.push_back(layer("flatten", "Flatten", Json::object(), "scale"));
        const Json wide = {{"units", 4096}, {"activation", "relu"}};
        layers.push_back(layer("hidden_1", "Dense", wide, "flatten"));
        layers.push_back(layer("hidden_2", "Dense", wide, "hidden_1"));
        layers.push_back(
            layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, "hidden_2"));
    } else if (name == "residual") {
        // Three blocks of two convolutions with normalisation beside a path that leads straight on.
        layers.push_back(conv("stem", 64, "scale"));
        std::string input = "stem";
        for (int i = 1; i <= 3; ++i) {
            const std::string block = std::to_string(i), one = "conv_" + block + "a",
                              two = "conv_" + block + "b";
            const auto bare = [](const std::string& own, const std::string& from) {
                Json made = conv(own.c_str(), 64, from.c_str());
                made["config"].erase("activation");
                return made;
            };
            const auto after = [&](const std::string& own, const char* type, const Json& config,
                                   const std::string& from) {
                layers.push_back(layer(own.c_str(), type, config, from.c_str()));
                return own;
            };
            const Json relu = {{"activation", "relu"}};
            layers.push_back(bare(one, input));
            std::string at = after(one + "_norm", "BatchNormalization", Json::object(), one);
            at = after(one + "_relu", "Activation", relu, at);
            layers.push_back(bare(two, at));
            at = after(two + "_norm", "BatchNormalization", Json::object(), two);
            Json add = layer(("sum_" + block).c_str(), "Add", Json::object(), at.c_str());
            add["inputs"].push_back(input);
            layers.push_back(std::move(add));
            input = after("relu_" + block, "Activation", relu, "sum_" + block);
        }
        layers.push_back(layer("pool", "GlobalAveragePooling2D", Json::object(), input.c_str()));
        layers.push_back(
            layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, "pool"));
    } else if (name == "deep") {
        // Eight equal layers between two small ones: with a device for each half a balanced
        // pipeline. Behind tanh no gradient is zero; relu's zeros, which the kernels skip, would
        // differ between the halves and from step to step.
        const auto dense_conv = [&](const std::string& own, int filters, int taps,
                                    const Json& from) {
            Json made = conv(own.c_str(), filters, from.get<std::string>().c_str());
            made["config"]["activation"] = "tanh";
            made["config"]["kernel_size"] = {taps, taps};
            layers.push_back(std::move(made));
        };
        dense_conv("stem", 32, 3, "scale");
        for (int i = 1; i <= 8; ++i)
            dense_conv("conv_" + std::to_string(i), 32, 3, layers.back().at("name"));
        dense_conv("head", 8, 1, "conv_8");
        layers.push_back(layer("pool", "GlobalAveragePooling2D", Json::object(), "head"));
        layers.push_back(
            layer("output", "Dense", {{"units", 10}, {"activation", "softmax"}}, "pool"));
    } else {
        throw Error(ErrorCode::invalid_argument, "unknown model '" + name + "'", "--model",
                    "Use classic, cnn, residual, wide or deep");
    }
    return graph::Model::from_json({{"layers", layers}});
}

graph::TrainingSetup make_setup() {
    graph::TrainingSetup setup;
    setup.loss = &losses::find_loss("sparse_categorical_crossentropy");
    setup.optimizer = &optimizers::find_optimizer("Adam");
    setup.optimizer_config =
        layers::Config::checked(setup.optimizer->params, {{"learning_rate", learning_rate}});
    return setup;
}

}  // namespace strata::benchmarks
