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

// Keras knows layers that share weights as one, called several times: the owner. Each call is a
// node, which here is a layer.
int keras_layer(const graph::ModelReport& report, int node) {
    const int owner = report.layers[static_cast<std::size_t>(node)].owner;
    return owner < 0 ? node : owner;
}

struct Walk {
    const graph::Model& model;
    const graph::ModelReport& report;
    std::vector<int> first_met;  // by Keras's layer; -1 = not yet
    std::vector<bool> entered;   // by node
    std::vector<int> finished;   // nodes, inputs first
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
        walk.entered[static_cast<std::size_t>(layer)] = true;
        int& first = walk.first_met[static_cast<std::size_t>(keras_layer(walk.report, layer))];
        if (first < 0) first = walk.met++;
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
        if (!walk.entered[static_cast<std::size_t>(source)]) enter(source);
    }
}

Json tensor_reference(const std::string& name, int node, const Shape& sample, const char* dtype) {
    Json shape = Json::array({nullptr});
    for (const std::int64_t dim : sample.dims()) shape.push_back(dim);
    return {
        {"class_name", "__keras_tensor__"},
        {"config",
         {{"shape", shape}, {"dtype", dtype}, {"keras_history", Json::array({name, node, 0})}}}};
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
    Walk walk{model,
              report,
              std::vector<int>(model.layers.size(), -1),
              std::vector<bool>(model.layers.size(), false),
              {},
              0};
    walk_from(walk, report.output);
    // A call of a layer that has been met farther from the output counts as that far.
    std::vector<int> depth(model.layers.size(), 0), depth_of_node(model.layers.size(), 0);
    std::vector<int> order;
    for (auto it = walk.finished.rbegin(); it != walk.finished.rend(); ++it) {
        int& own = depth[static_cast<std::size_t>(keras_layer(report, *it))];
        own = std::max(own, depth_of_node[static_cast<std::size_t>(*it)]);
        for (const std::string& input : model.layers[static_cast<std::size_t>(*it)].inputs) {
            int& source = depth_of_node[static_cast<std::size_t>(model.index_of(input))];
            source = std::max(source, own + 1);
        }
        if (keras_layer(report, *it) == *it) order.push_back(*it);
    }
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
    const auto at = [](int index) { return static_cast<std::size_t>(index); };
    // The calls of each of Keras's layers, in an order in which they can be made, and which of them
    // each of ours is.
    std::vector<std::vector<int>> calls(model.layers.size());
    std::vector<int> number(model.layers.size(), 0);
    for (const int node : report.order) {
        auto& all = calls[at(keras_layer(report, node))];
        number[at(node)] = static_cast<int>(all.size());
        all.push_back(node);
    }
    const auto call_of = [&](const graph::LayerNode& node) {
        Json tensors = Json::array();
        for (const std::string& input : node.inputs) {
            const int source = model.index_of(input);
            tensors.push_back(tensor_reference(
                names[at(keras_layer(report, source))], number[at(source)],
                *report.layers[at(source)].output, dtype_of(model.layers[at(source)])));
        }
        const bool merges = node.type->spec.max_inputs != 1;  // its call takes a list
        return Json{{"args", merges ? Json::array({tensors}) : tensors},
                    {"kwargs", Json::object()}};
    };
    Json list = Json::array();
    for (const int index : keras_order(model)) {
        const graph::LayerNode& node = model.layers[at(index)];
        Json nodes = Json::array();
        for (const int call : calls[at(index)])
            if (!model.layers[at(call)].inputs.empty())
                nodes.push_back(call_of(model.layers[at(call)]));
        list.push_back(
            {{"class_name", node.type->spec.type},
             {"config", layer_config(node, names[at(index)], *report.layers[at(index)].output)},
             {"name", names[at(index)]},
             {"inbound_nodes", nodes}});
    }
    const auto end = [&](int node) {
        return Json::array({names[at(keras_layer(report, node))], number[at(node)], 0});
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
