// Writes a model as the model_config of Keras 3; see keras_config.h.
#include <algorithm>
#include <functional>
#include <set>

#include "engine/interop/keras_config.h"
#include "engine/losses/loss.h"
#include "engine/optimizers/optimizer.h"

namespace strata::interop {
namespace {

using layers::LayerCategory;

struct Walk {
    const graph::Model& model;
    std::vector<int> first_met;  // by layer; -1 = not yet
    std::vector<int> finished;   // inputs first
    int met = 0;
};

// From the output towards the input, by hand: a chain may be thousands of layers long.
void walk_from(Walk& walk, int output) {
    struct Step {
        int layer;
        std::size_t next_input;
    };
    std::vector<Step> stack;
    const auto enter = [&](int layer) {
        walk.first_met[static_cast<std::size_t>(layer)] = walk.met++;
        stack.push_back({layer, 0});
    };
    enter(output);
    while (!stack.empty()) {
        Step& top = stack.back();
        const auto& inputs = walk.model.layers[static_cast<std::size_t>(top.layer)].inputs;
        if (top.next_input == inputs.size()) {
            walk.finished.push_back(top.layer);
            stack.pop_back();
            continue;
        }
        const int source = walk.model.index_of(inputs[top.next_input++]);
        if (walk.first_met[static_cast<std::size_t>(source)] < 0) enter(source);
    }
}

Json tensor_reference(const std::string& name, const Shape& sample, const char* dtype) {
    Json shape = Json::array({nullptr});
    for (const std::int64_t dim : sample.dims()) shape.push_back(dim);
    return {{"class_name", "__keras_tensor__"},
            {"config",
             {{"shape", shape}, {"dtype", dtype}, {"keras_history", Json::array({name, 0, 0})}}}};
}

bool has_data_format(const layers::LayerSpec& spec) {
    return spec.category == LayerCategory::convolution || spec.category == LayerCategory::pooling ||
           spec.type == "Flatten";
}

Json layer_config(const graph::LayerNode& node, const std::string& name, const Shape& output) {
    Json config = {{"name", name}};
    if (node.type->spec.category == LayerCategory::input) {
        Json shape = Json::array({nullptr});
        for (const std::int64_t dim : output.dims()) shape.push_back(dim);
        config["batch_shape"] = std::move(shape);
        config["dtype"] = node.config.text("dtype");
        config["sparse"] = false;
        return config;
    }
    config["trainable"] = true;
    config["dtype"] = "float32";
    if (has_data_format(node.type->spec)) config["data_format"] = "channels_last";
    for (const auto& [key, value] : node.config.json().items()) config[key] = value;
    // Keras 3 takes a single number for the upper bound alone, though it documents both.
    if (node.type->spec.type == "RandomContrast" && config["factor"].is_number())
        config["factor"] = Json::array({config["factor"], config["factor"]});
    return config;
}

const char* dtype_of(const graph::LayerNode& node) {
    const bool input = node.type->spec.category == LayerCategory::input;
    return input && node.config.text("dtype") == "uint8" ? "uint8" : "float32";
}

}  // namespace

std::vector<int> keras_order(const graph::Model& model) {
    const graph::ModelReport report = graph::require_valid(model);
    Walk walk{model, std::vector<int>(model.layers.size(), -1), {}, 0};
    walk_from(walk, report.output);
    std::vector<int> depth(model.layers.size(), 0);
    for (auto it = walk.finished.rbegin(); it != walk.finished.rend(); ++it) {
        const auto i = static_cast<std::size_t>(*it);
        for (const std::string& input : model.layers[i].inputs) {
            int& source = depth[static_cast<std::size_t>(model.index_of(input))];
            source = std::max(source, depth[i] + 1);
        }
    }
    std::vector<int> order = walk.finished;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        return depth[i] != depth[j] ? depth[i] > depth[j] : walk.first_met[i] < walk.first_met[j];
    });
    return order;
}

std::vector<std::string> keras_names(const graph::Model& model) {
    std::set<std::string> used{"top_level_model_weights"};
    for (const graph::LayerNode& node : model.layers) used.insert(node.name);
    std::vector<std::string> names;
    for (const graph::LayerNode& node : model.layers) {
        std::string name = node.name;
        for (char& c : name)
            if (c == '/' || static_cast<unsigned char>(c) < ' ') c = '_';
        if (name.find_first_not_of('.') == std::string::npos) name.insert(0, "_");
        if (name != node.name || name == "top_level_model_weights") {
            const std::string base = name;
            for (int number = 2; !used.insert(name).second; ++number)
                name = base + "_" + std::to_string(number);
        }
        names.push_back(std::move(name));
    }
    return names;
}

Json keras_model_config(const graph::Model& model) {
    const graph::ModelReport report = graph::require_valid(model);
    const std::vector<std::string> names = keras_names(model);
    Json list = Json::array();
    for (const int index : keras_order(model)) {
        const auto i = static_cast<std::size_t>(index);
        const graph::LayerNode& node = model.layers[i];
        Json tensors = Json::array();
        for (const std::string& input : node.inputs) {
            const auto j = static_cast<std::size_t>(model.index_of(input));
            tensors.push_back(
                tensor_reference(names[j], *report.layers[j].output, dtype_of(model.layers[j])));
        }
        Json nodes = Json::array();
        const bool merges = node.type->spec.max_inputs != 1;  // its call takes a list
        if (!tensors.empty())
            nodes.push_back(
                {{"args", merges ? Json::array({tensors}) : tensors}, {"kwargs", Json::object()}});
        list.push_back({{"class_name", node.type->spec.type},
                        {"config", layer_config(node, names[i], *report.layers[i].output)},
                        {"name", names[i]},
                        {"inbound_nodes", nodes}});
    }
    const auto end = [&](int index) {
        return Json::array({names[static_cast<std::size_t>(index)], 0, 0});
    };
    return {{"class_name", "Functional"},
            {"config",
             {{"name", "strata_model"},
              {"trainable", true},
              {"layers", list},
              {"input_layers", end(report.input)},
              {"output_layers", end(report.output)}}}};
}

}  // namespace strata::interop
