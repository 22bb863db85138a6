// A model around an example of the layer catalogue, for tests that follow from the catalogue.
#pragma once

#include <string>
#include <vector>

#include "tests/engine/graph/models.h"

namespace strata::graph::testing {

inline Json shape_json(const Shape& shape) {
    Json axes = Json::array();
    for (int axis = 0; axis < shape.rank(); ++axis) axes.push_back(shape[axis]);
    return axes;
}

// A layer with weights before each of the example's inputs, so that its gradient counts, and a
// classifier behind the example's output: the last layers are "example", "flat" and "classes". An
// example of an input is the model's own, with "hidden" in the example's place.
inline Model model_around(const layers::LayerDescription& type,
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
    return model_of(all);
}

}  // namespace strata::graph::testing
