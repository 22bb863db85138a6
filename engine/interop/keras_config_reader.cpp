// Reads the model_config of Keras 2 and 3, Sequential and Functional; see keras_config.h.
#include <algorithm>
#include <map>
#include <set>

#include "engine/interop/keras_config.h"
#include "engine/interop/keras_layer_config.h"
#include "engine/layers/catalogue.h"

namespace strata::interop {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint = {}) {
    throw Error(ErrorCode::unsupported, what, "", hint);
}

[[noreturn]] void damaged(const std::string& what) {
    throw Error(ErrorCode::format, what, "model_config", "Save the model again with Keras");
}

const Json& member(const Json& object, const char* key) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto it = object.find(key);
    return it == object.end() ? none : *it;
}

std::string text_member(const Json& object, const char* key) {
    const Json& value = member(object, key);
    return value.is_string() ? value.get<std::string>() : "";
}

bool is_model(const std::string& class_name) {
    return class_name == "Sequential" || class_name == "Functional" || class_name == "Model";
}

const layers::LayerDescription& allowed_layer(const std::string& class_name) {
    if (is_model(class_name))
        refuse("is a model inside the model", "Build the model of single layers in Keras");
    try {
        return layers::find_layer(class_name);
    } catch (const Error& error) {
        throw Error(ErrorCode::unsupported,
                    class_name == "Lambda" ? error.message()
                                           : "the layer class " + class_name + " is not known here",
                    "", error.hint());
    }
}

std::string layer_name(const Json& layer) {
    const std::string name = text_member(member(layer, "config"), "name");
    return name.empty() ? text_member(layer, "name") : name;
}

// The project file's entry for a layer, without its inputs.
Json read_layer(const Json& layer) {
    const std::string name = layer_name(layer);
    if (name.empty()) damaged("a layer has no name");
    try {
        const layers::LayerDescription& type = allowed_layer(text_member(layer, "class_name"));
        const Json& config = member(layer, "config");
        if (!config.is_object()) damaged("a layer has no configuration");
        Json entry = Json::object();
        entry["name"] = name;
        entry["type"] = type.spec.type;
        entry["config"] = layer_config_from_keras(type.spec, config);
        return entry;
    } catch (const Error& error) {
        throw error.at("layer '" + name + "'");
    }
}

std::string free_name(const Json& entries, const std::string& wanted) {
    std::string name = wanted;
    const auto taken = [&](const Json& entry) {
        return entry.at("name").get_ref<const std::string&>() == name;
    };
    for (int number = 2; std::any_of(entries.begin(), entries.end(), taken); ++number)
        name = wanted + "_" + std::to_string(number);
    return name;
}

// Keras 2 writes the input's shape on the first layer or, as Keras 3, on the model.
Json sequential_input(const Json& model, const Json& first, const Json& entries) {
    std::optional<Json> shape = sample_shape_from_keras(member(first, "config"));
    if (!shape && member(model, "build_input_shape").is_array()) {
        Json built = Json::object();
        built["batch_shape"] = model["build_input_shape"];
        shape = sample_shape_from_keras(built);
    }
    if (!shape)
        refuse("the file does not say the model's input shape",
               "Build the model in Keras with an Input before saving it");
    Json entry = Json::object();
    entry["name"] = free_name(entries, "input");
    entry["type"] = "InputLayer";
    entry["config"]["shape"] = *shape;
    return entry;
}

Json read_sequential(const Json& config) {
    // Keras before 2.2 wrote the list itself in the place of the configuration.
    const Json& list = config.is_array() ? config : member(config, "layers");
    if (!list.is_array() || list.empty()) damaged("the model has no layers");
    Json entries = Json::array();
    for (const Json& layer : list) entries.push_back(read_layer(layer));
    if (entries[0]["type"] != "InputLayer") {
        Json input = sequential_input(config, list[0], entries);
        entries.insert(entries.begin(), std::move(input));
    }
    for (std::size_t i = 1; i < entries.size(); ++i)
        entries[i]["inputs"].push_back(entries[i - 1]["name"]);
    return entries;
}

// Of each of Keras's layers, ours: one for each of its calls.
using Calls = std::map<std::string, std::vector<std::string>>;

// [name, node, tensor, ...]: a call of a layer that has one output.
std::string call_of(const Json& history, const Calls& calls) {
    if (!history.is_array() || history.size() < 3 || !history[0].is_string() ||
        !history[1].is_number_integer() || history[1] < 0)
        damaged("a connection is not [layer, node, tensor]");
    const auto name = history[0].get<std::string>();
    if (history[2] != 0)
        refuse("reads '" + name + "', which has several outputs",
               "Layers with one output can be read");
    const auto found = calls.find(name);
    if (found == calls.end()) return name;  // the model's check names it
    const auto node = history[1].get<std::size_t>();
    if (node >= found->second.size())
        damaged("a connection is with a call of '" + name + "' that is not there");
    return found->second[node];
}

void collect_tensors(const Json& value, const Calls& calls, Json& inputs) {
    if (value.is_object() && text_member(value, "class_name") == "__keras_tensor__")
        inputs.push_back(call_of(member(member(value, "config"), "keras_history"), calls));
    else if (value.is_array())
        for (const Json& part : value) collect_tensors(part, calls, inputs);
    else if (!value.is_null() && !value.is_boolean())
        refuse("is called with an argument other than layers");
}

bool holds_tensor(const Json& value) {
    if (text_member(value, "class_name") == "__keras_tensor__") return true;
    return value.is_structured() &&
           std::any_of(value.begin(), value.end(), [](const Json& v) { return holds_tensor(v); });
}

// The names of the layers that one call reads.
Json read_inputs(const Json& node, const Calls& calls) {
    Json inputs = Json::array();
    if (node.is_object()) {
        if (holds_tensor(member(node, "kwargs"))) refuse("is called with a layer as a keyword");
        collect_tensors(member(node, "args"), calls, inputs);
    } else if (node.is_array() && !node.empty() && node[0].is_string()) {
        inputs.push_back(call_of(node, calls));
    } else if (node.is_array()) {
        for (const Json& history : node) inputs.push_back(call_of(history, calls));
    } else {
        damaged("a connection is not [layer, node, tensor]");
    }
    return inputs;
}

// The one layer of input_layers or output_layers: a triple, a list or a dictionary with one.
std::string only_end(const Json& ends, const Calls& calls, const char* what) {
    const Json* end = &ends;
    while (end->is_structured() && end->size() == 1) end = &*end->begin();
    if (end->is_array() && !end->empty() && (*end)[0].is_string()) return call_of(*end, calls);
    refuse(std::string("the model has several ") + what, "Save a model with one of them");
}

// The outer name, by which a Functional model knows its layers.
std::string outer_name(const Json& layer) {
    const std::string name = text_member(layer, "name");
    return name.empty() ? layer_name(layer) : name;
}

std::size_t call_count(const Json& layer) {
    const Json& nodes = member(layer, "inbound_nodes");
    return nodes.is_array() ? std::max<std::size_t>(1, nodes.size()) : 1;
}

// A layer's own name for its first call, a free one for each other.
Calls name_calls(const Json& list) {
    std::set<std::string> used;
    for (const Json& layer : list) used.insert(outer_name(layer));
    Calls calls;
    for (const Json& layer : list) {
        const std::string name = outer_name(layer);
        std::vector<std::string>& own = calls[name];
        own.push_back(name);
        for (int number = 2; own.size() < call_count(layer); ++number)
            if (const std::string other = name + "_" + std::to_string(number);
                used.insert(other).second)
                own.push_back(other);
    }
    return calls;
}

struct Functional {
    Json entries = Json::array();
    Calls calls;
};

Functional read_functional(const Json& config) {
    const Json& list = member(config, "layers");
    if (!list.is_array() || list.empty()) damaged("the model has no layers");
    Functional model;
    model.calls = name_calls(list);
    static_cast<void>(only_end(member(config, "input_layers"), model.calls, "inputs"));
    for (const Json& layer : list) {
        Json entry = read_layer(layer);
        const Json& nodes = member(layer, "inbound_nodes");
        const std::vector<std::string>& names = model.calls.at(outer_name(layer));
        for (std::size_t call = 0; call < names.size(); ++call) {
            entry["name"] = names[call];
            try {
                entry["inputs"] = nodes.is_array() && call < nodes.size()
                                      ? read_inputs(nodes[call], model.calls)
                                      : Json::array();
            } catch (const Error& error) {
                throw error.at("layer '" + names[call] + "'");
            }
            model.entries.push_back(entry);
        }
    }
    return model;
}

graph::Model model_of(Json entries) {
    Json section = Json::object();
    section["layers"] = std::move(entries);
    return graph::Model::from_json(section);
}

// The calls of a layer share its weights, where it has some.
void share_weights(const Calls& calls, graph::Model& model) {
    const graph::ModelReport report = graph::require_valid(model);
    for (const auto& [layer, names] : calls)
        for (std::size_t call = 1; call < names.size(); ++call) {
            const auto i = static_cast<std::size_t>(model.index_of(names[call]));
            if (!report.layers[i].variables.empty()) model.layers[i].shares = layer;
        }
}

}  // namespace

graph::Model model_from_keras(const Json& config) {
    const std::string class_name = text_member(config, "class_name");
    if (!is_model(class_name))
        refuse("the file holds a model of the Python class '" + class_name + "'",
               "Sequential and Functional models can be read");
    const Json& inner = member(config, "config");
    const bool functional = inner.is_object() && inner.contains("input_layers");
    if (class_name != "Sequential" && !functional) damaged("the model has no input_layers");
    if (!functional) {
        graph::Model model = model_of(read_sequential(inner));
        graph::require_valid(model);
        return model;
    }
    Functional read = read_functional(inner);
    graph::Model model = model_of(std::move(read.entries));
    share_weights(read.calls, model);
    const graph::ModelReport report = graph::require_valid(model);
    const std::string output = only_end(member(inner, "output_layers"), read.calls, "outputs");
    if (model.index_of(output) != report.output)
        refuse("the model's output '" + output + "' is read by other layers",
               "Save the model without the layers behind its output");
    return model;
}

}  // namespace strata::interop
