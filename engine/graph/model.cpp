#include "engine/graph/model.h"

#include <algorithm>

#include "engine/graph/shared_variables.h"
#include "engine/layers/catalogue.h"

namespace strata::graph {
namespace {

std::string layer_text(const std::string& name) {
    return "layer '" + name + "'";
}

LayerNode read_layer(const Json& entry, std::size_t position, const std::string& previous) {
    const std::string where = "model.layers[" + std::to_string(position) + "]";
    refuse_unknown_keys(
        entry, {"name", "type", "config", "inputs", "device", "precision", "recompute", "shares"},
        where);
    LayerNode node;
    node.name = get_string(entry, "name", "", where);
    if (node.name.empty())
        throw Error(ErrorCode::invalid_argument, "a layer needs a name", where + ".name");
    const std::string type = get_string(entry, "type", "", where);
    if (const auto shares = entry.find("shares"); shares != entry.end() && !shares->is_null())
        node.shares = get_string(entry, "shares", "", where);
    try {
        node.type = &layers::find_layer(type);
        // Of a layer that shares it is the owner's, as soon as all are known.
        if (node.shares.empty())
            node.config = layers::Config::checked(node.type->spec.params,
                                                  entry.value("config", Json::object()));
    } catch (const Error& error) {
        throw error.at(layer_text(node.name));
    }
    node.device = get_string(entry, "device", "cpu:0", where);
    node.precision = get_string(entry, "precision", "", where);
    if (!node.precision.empty()) compute_type(node.precision, layer_text(node.name));
    node.recompute = get_bool(entry, "recompute", false, where);
    if (const auto inputs = entry.find("inputs"); inputs != entry.end()) {
        if (!inputs->is_array())
            throw Error(ErrorCode::invalid_argument, "expected a list of layer names",
                        layer_text(node.name) + ", inputs");
        for (const Json& input : *inputs) {
            if (!input.is_string())
                throw Error(ErrorCode::invalid_argument,
                            "expected the name of a layer, found " + input.dump(),
                            layer_text(node.name) + ", inputs");
            node.inputs.push_back(input.get<std::string>());
        }
    } else if (node.type->spec.min_inputs > 0 && !previous.empty()) {
        node.inputs.push_back(previous);
    }
    return node;
}

void check_names(const Model& model) {
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const LayerNode& node = model.layers[i];
        if (model.index_of(node.name) != static_cast<int>(i))
            throw Error(ErrorCode::invalid_argument, "two layers have the name '" + node.name + "'",
                        "model.layers", "Give each layer a name of its own");
        for (const std::string& input : node.inputs)
            if (model.index_of(input) < 0)
                throw Error(ErrorCode::invalid_argument, "there is no layer '" + input + "'",
                            layer_text(node.name) + ", inputs", "Name a layer of this model");
    }
}

std::vector<int> topological_order(const Model& model) {
    std::vector<int> order;
    std::vector<bool> done(model.layers.size(), false);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < model.layers.size(); ++i) {
            if (done[i]) continue;
            const auto& inputs = model.layers[i].inputs;
            const bool ready =
                std::all_of(inputs.begin(), inputs.end(), [&](const std::string& name) {
                    const int j = model.index_of(name);
                    return j >= 0 && done[static_cast<std::size_t>(j)];
                });
            if (!ready) continue;
            done[i] = moved = true;
            order.push_back(static_cast<int>(i));
        }
    }
    return order;
}

bool reads_itself(const Model& model, int layer) {
    std::vector<bool> seen(model.layers.size(), false);
    std::vector<int> open{layer};
    while (!open.empty()) {
        const int reader = open.back();
        open.pop_back();
        for (const std::string& name : model.layers[static_cast<std::size_t>(reader)].inputs) {
            const int source = model.index_of(name);
            if (source == layer) return true;
            if (source < 0 || seen[static_cast<std::size_t>(source)]) continue;
            seen[static_cast<std::size_t>(source)] = true;
            open.push_back(source);
        }
    }
    return false;
}

// A layer behind a cycle has no fault of its own.
void mark_cycles(const Model& model, ModelReport& report) {
    if (report.order.size() == model.layers.size()) return;
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        if (reads_itself(model, static_cast<int>(i)))
            report.layers[i].error =
                Error(ErrorCode::invalid_argument, "its input comes from itself", "inputs",
                      "Remove one connection of the cycle");
}

void require_input_count(const LayerNode& node) {
    const auto& spec = node.type->spec;
    const auto count = static_cast<int>(node.inputs.size());
    if (count >= spec.min_inputs && (spec.max_inputs < 0 || count <= spec.max_inputs)) return;
    const std::string wanted = spec.max_inputs < 0 ? "at least " + std::to_string(spec.min_inputs)
                                                   : std::to_string(spec.min_inputs);
    throw Error(ErrorCode::invalid_argument,
                spec.type + " takes " + wanted + (spec.min_inputs == 1 ? " input" : " inputs") +
                    ", it has " + std::to_string(count),
                "inputs",
                count == 0 ? "Connect a layer to it" : "Connect the layers that it should read");
}

void infer_layer(const Model& model, std::size_t index, ModelReport& report) {
    const LayerNode& node = model.layers[index];
    LayerReport& entry = report.layers[index];
    try {
        require_input_count(node);
        std::vector<Shape> inputs;
        for (const std::string& name : node.inputs) {
            const auto& source =
                report.layers[static_cast<std::size_t>(model.index_of(name))].output;
            if (!source) return;
            inputs.push_back(*source);
        }
        layers::Inference inferred = node.type->infer(node.config, inputs);
        entry.flops = inferred.flops;
        entry.activation_bytes =
            inferred.output.elements() * static_cast<std::int64_t>(size_of(inferred.output_dtype));
        entry.variables = std::move(inferred.variables);
        entry.output = inferred.output;
    } catch (const Error& error) {
        entry.error = error;
    }
}

void count(LayerReport& entry, ModelReport& all) {
    for (const layers::VariableSpec& variable : entry.variables) {
        const std::int64_t elements = variable.shape.elements();
        entry.parameters += elements;
        if (variable.trainable) entry.trainable_parameters += elements;
    }
    all.parameters += entry.parameters;
    all.trainable_parameters += entry.trainable_parameters;
    all.flops += entry.flops;
}

std::string names_of(const Model& model, const std::vector<int>& indices) {
    std::string text;
    for (std::size_t i = 0; i < indices.size(); ++i)
        text += (i == 0                    ? "'"
                 : i + 1 == indices.size() ? " and '"
                                           : ", '") +
                model.layers[static_cast<std::size_t>(indices[i])].name + "'";
    return text;
}

// Finds the input and the output, or says why there is not exactly one of each.
void find_ends(const Model& model, ModelReport& report) {
    std::vector<int> inputs, outputs;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const LayerNode& node = model.layers[i];
        if (node.type->spec.category == layers::LayerCategory::input)
            inputs.push_back(static_cast<int>(i));
        const bool read =
            std::any_of(model.layers.begin(), model.layers.end(), [&](const LayerNode& other) {
                return std::find(other.inputs.begin(), other.inputs.end(), node.name) !=
                       other.inputs.end();
            });
        if (!read) outputs.push_back(static_cast<int>(i));
    }
    if (inputs.size() == 1) report.input = inputs[0];
    if (outputs.size() == 1) report.output = outputs[0];
    const auto fail = [&](std::string what, std::string hint) {
        if (!report.error)
            report.error =
                Error(ErrorCode::invalid_argument, std::move(what), "model", std::move(hint));
    };
    if (model.layers.empty()) return fail("the model has no layers", "Add an InputLayer first");
    if (inputs.empty()) fail("the model has no InputLayer", "Put an InputLayer at its start");
    if (inputs.size() > 1)
        fail("the model has several inputs: " + names_of(model, inputs), "Keep one InputLayer");
    if (outputs.size() > 1)
        fail("the model has several outputs: " + names_of(model, outputs),
             "Merge them with Add or Concatenate, or delete what is not needed");
}

}  // namespace

DType compute_type(const std::string& policy, const std::string& where) {
    if (policy == "float32") return DType::float32;
    if (policy == "mixed_bfloat16") return DType::bfloat16;
    if (policy == "mixed_float16") return DType::float16;
    throw Error(ErrorCode::invalid_argument, "there is no precision '" + policy + "'",
                where + ", precision", "It can be: float32, mixed_bfloat16, mixed_float16");
}

Model Model::from_json(const Json& section) {
    refuse_unknown_keys(section, {"layers"}, "model");
    Model model;
    const auto list = section.find("layers");
    if (list == section.end()) return model;
    if (!list->is_array())
        throw Error(ErrorCode::invalid_argument, "expected a list of layers", "model.layers");
    for (std::size_t i = 0; i < list->size(); ++i)
        model.layers.push_back(read_layer((*list)[i], i, i == 0 ? "" : model.layers.back().name));
    check_names(model);
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        if (!model.layers[i].shares.empty())
            take_over_configuration(model, i, (*list)[i].value("config", Json()));
    return model;
}

Json Model::to_json() const {
    Json list = Json::array();
    for (const LayerNode& node : layers) {
        Json entry = {{"name", node.name}, {"type", node.type->spec.type}};
        Json changed = node.config.changed(node.type->spec.params);
        if (!changed.empty() && node.shares.empty()) entry["config"] = std::move(changed);
        if (node.type->spec.max_inputs != 0) entry["inputs"] = node.inputs;
        if (node.device != "cpu:0") entry["device"] = node.device;
        if (!node.precision.empty() && node.shares.empty()) entry["precision"] = node.precision;
        if (node.recompute) entry["recompute"] = true;
        if (!node.shares.empty()) entry["shares"] = node.shares;
        list.push_back(std::move(entry));
    }
    return {{"layers", std::move(list)}};
}

int Model::index_of(const std::string& name) const {
    const auto it = std::find_if(layers.begin(), layers.end(),
                                 [&](const LayerNode& n) { return n.name == name; });
    return it == layers.end() ? -1 : static_cast<int>(it - layers.begin());
}

const LayerNode& Model::layer(const std::string& name) const {
    const int i = index_of(name);
    if (i < 0) throw Error(ErrorCode::not_found, "there is no layer '" + name + "'", "model");
    return layers[static_cast<std::size_t>(i)];
}

std::optional<Error> ModelReport::first_error(const Model& model) const {
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i].error) return layers[i].error->at(layer_text(model.layers[i].name));
    return error;
}

ModelReport analyze(const Model& model) {
    ModelReport report;
    report.layers.resize(model.layers.size());
    report.order = topological_order(model);
    mark_cycles(model, report);
    find_ends(model, report);
    for (int i : report.order) infer_layer(model, static_cast<std::size_t>(i), report);
    share_variables(model, report);
    for (LayerReport& entry : report.layers) count(entry, report);
    return report;
}

ModelReport require_valid(const Model& model) {
    ModelReport report = analyze(model);
    if (auto error = report.first_error(model)) throw Error(*error);
    return report;
}

}  // namespace strata::graph
