#include "engine/selftest/example_model.h"

#include <string>
#include <vector>

namespace strata::selftest {
namespace {

Json shape_json(const Shape& shape) {
    Json axes = Json::array();
    for (int axis = 0; axis < shape.rank(); ++axis) axes.push_back(shape[axis]);
    return axes;
}

Json layer(const std::string& name, const std::string& type, const Json& config = Json::object(),
           const std::vector<std::string>& inputs = {}) {
    Json entry{{"name", name}, {"type", type}, {"config", config}};
    if (!inputs.empty()) entry["inputs"] = inputs;
    return entry;
}

}  // namespace

graph::Model model_around(const layers::LayerDescription& type,
                          const layers::LayerExample& example) {
    std::vector<Json> all;
    if (example.inputs.empty()) {
        all.push_back(layer("input", "InputLayer", example.config));
        all.push_back(layer("flat", "Flatten"));
        all.push_back(layer("hidden", "Dense", {{"units", 4}, {"activation", "tanh"}}));
    } else {
        all.push_back(
            layer("input", "InputLayer", {{"shape", shape_json(example.inputs.front())}}));
        std::vector<std::string> sources;
        for (std::size_t i = 0; i < example.inputs.size(); ++i) {
            const Shape& shape = example.inputs[i];
            const std::string number = std::to_string(i);
            all.push_back(layer("flat_" + number, "Flatten", Json::object(), {"input"}));
            all.push_back(layer("dense_" + number, "Dense",
                                {{"units", shape.elements()}, {"activation", "tanh"}},
                                {"flat_" + number}));
            all.push_back(layer("source_" + number, "Reshape",
                                {{"target_shape", shape_json(shape)}}, {"dense_" + number}));
            sources.push_back("source_" + number);
        }
        all.push_back(layer("example", type.spec.type, example.config, sources));
        all.push_back(layer("flat", "Flatten"));
    }
    all.push_back(layer("classes", "Dense", {{"units", 3}, {"activation", "softmax"}}));
    return graph::Model::from_json({{"layers", all}});
}

}  // namespace strata::selftest
