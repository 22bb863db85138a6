#include "ui/document/model_edits.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "engine/layers/catalogue.h"
#include "ui/document/sharing_edits.h"

namespace strata::ui {
namespace {

using graph::LayerNode;
using graph::Model;

LayerNode& find(Model& model, const std::string& name) {
    model.layer(name);  // throws where it is absent
    return model.layers[static_cast<std::size_t>(model.index_of(name))];
}

// "Conv2D" -> "conv2d", "MaxPooling2D" -> "max_pooling2d", "BatchNormalization" ->
// "batch_normalization".
std::string snakeCase(const std::string& type) {
    std::string out;
    for (std::size_t i = 0; i < type.size(); ++i) {
        const auto letter = static_cast<unsigned char>(type[i]);
        const bool afterLower = i > 0 && std::islower(static_cast<unsigned char>(type[i - 1]));
        if (std::isupper(letter) && afterLower) out += '_';
        out += static_cast<char>(std::tolower(letter));
    }
    return out;
}

LayerNode makeNode(const Model& model, const std::string& type) {
    LayerNode node;
    node.type = &layers::find_layer(type);
    node.name = freeName(model, type);
    Json given = Json::object();
    // What has no default gets the first example's value, so that a new card is valid where it can
    // be.
    for (const layers::ParamSpec& param : node.type->spec.params)
        if (param.default_value.is_null() && !param.optional && !node.type->examples.empty())
            given[param.key] = node.type->examples.front().config.at(param.key);
    node.config = layers::Config::checked(node.type->spec.params, given);
    return node;
}

void replaceReader(Model& model, const std::string& from, const std::string& to,
                   const std::string& except) {
    for (LayerNode& node : model.layers)
        if (node.name != except) std::replace(node.inputs.begin(), node.inputs.end(), from, to);
}

void place(Model& model, LayerNode node, const std::string& after) {
    const int at = model.index_of(after);
    model.layers.insert(model.layers.begin() + at + 1, std::move(node));
}

std::string lastOf(const Model& model) {
    return model.layers.empty() ? "" : model.layers.back().name;
}

bool takesInput(const LayerNode& node) {
    return node.type->spec.max_inputs != 0;
}

bool reads(const LayerNode& node, const std::string& source) {
    return std::find(node.inputs.begin(), node.inputs.end(), source) != node.inputs.end();
}

// Whether `name` gets, over any number of layers, what `source` gives.
bool dependsOn(const Model& model, const std::string& name, const std::string& source) {
    std::vector<std::string> open{name};
    std::vector<std::string> seen;
    while (!open.empty()) {
        const std::string at = open.back();
        open.pop_back();
        if (at == source) return true;
        if (model.index_of(at) < 0 || std::find(seen.begin(), seen.end(), at) != seen.end())
            continue;
        seen.push_back(at);
        const LayerNode& node = model.layer(at);
        open.insert(open.end(), node.inputs.begin(), node.inputs.end());
    }
    return false;
}

const Json& requireArray(const Json& section) {
    const auto layers = section.is_object() ? section.find("layers") : section.end();
    if (!section.is_object() || layers == section.end() || !layers->is_array())
        throw Error(ErrorCode::format, "what was copied is no list of layers", "clipboard",
                    "Copy layers in Strata Studio first");
    return *layers;
}

// A copy shares with the copy of its original's owner where that was copied, too, else with that
// owner, where it can.
void keepShared(Model& model, const std::string& copy, const std::string& owner,
                const std::map<std::string, std::string>& copies) {
    if (owner.empty()) return;
    const auto other = copies.find(owner);
    const std::string& named = other == copies.end() ? owner : other->second;
    const std::vector<std::string> possible = ownersFor(model, copy);
    if (std::find(possible.begin(), possible.end(), named) != possible.end())
        shareWeights(model, copy, named);
}

}  // namespace

std::string freeName(const Model& model, const std::string& type) {
    const std::string stem = snakeCase(type);
    std::string name = stem;
    for (int i = 1; model.index_of(name) >= 0; ++i) name = stem + "_" + std::to_string(i);
    return name;
}

std::string insertLayer(Model& model, const std::string& type, const std::string& after) {
    LayerNode node = makeNode(model, type);
    std::string name = node.name;
    const std::string source = after.empty() ? lastOf(model) : after;
    if (!takesInput(node)) {
        for (LayerNode& first : model.layers)
            if (takesInput(first) && first.inputs.empty()) {
                first.inputs.push_back(name);
                break;
            }
        model.layers.insert(model.layers.begin(), std::move(node));
        return name;
    }
    if (!source.empty()) {
        node.inputs.push_back(source);
        node.device = model.layer(source).device;
        replaceReader(model, source, name, name);
    }
    place(model, std::move(node), source);
    return name;
}

std::string insertOnEdge(Model& model, const std::string& type, const std::string& from,
                         const std::string& to) {
    LayerNode node = makeNode(model, type);
    std::string name = node.name;
    if (takesInput(node)) node.inputs.push_back(from);
    node.device = model.layer(from).device;
    LayerNode& reader = find(model, to);
    std::replace(reader.inputs.begin(), reader.inputs.end(), from, name);
    place(model, std::move(node), from);
    return name;
}

std::string branchFrom(Model& model, const std::string& type, const std::string& source) {
    LayerNode node = makeNode(model, type);
    std::string name = node.name;
    node.inputs.push_back(source);
    node.device = model.layer(source).device;
    place(model, std::move(node), source);
    return name;
}

std::string mergeLayers(Model& model, const std::string& type,
                        const std::vector<std::string>& names) {
    LayerNode node = makeNode(model, type);
    std::string name = node.name;
    node.inputs = names;
    std::string last = names.front();
    for (const std::string& merged : names)
        if (model.index_of(merged) > model.index_of(last)) last = merged;
    node.device = model.layer(last).device;
    for (LayerNode& reader : model.layers)
        if (std::find(names.begin(), names.end(), reader.name) == names.end())
            std::replace(reader.inputs.begin(), reader.inputs.end(), last, name);
    place(model, std::move(node), last);
    return name;
}

void removeLayers(Model& model, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const int at = model.index_of(name);
        if (at < 0) continue;
        handOnWeights(model, name, names);
        const std::vector<std::string> sources = model.layers[static_cast<std::size_t>(at)].inputs;
        for (LayerNode& reader : model.layers) {
            const auto it = std::find(reader.inputs.begin(), reader.inputs.end(), name);
            if (it == reader.inputs.end()) continue;
            const auto where = reader.inputs.erase(it);
            if (sources.empty()) continue;
            const bool known = std::find(reader.inputs.begin(), reader.inputs.end(), sources[0]) !=
                               reader.inputs.end();
            if (!known) reader.inputs.insert(where, sources[0]);
        }
        model.layers.erase(model.layers.begin() + at);
    }
}

void moveLayer(Model& model, const std::string& name, const std::string& from,
               const std::string& to) {
    if (name == from || name == to) return;
    LayerNode node = model.layer(name);
    const std::vector<std::string> sharers = sharersOf(model, name);
    removeLayers(model, {name});
    node.inputs = {from};
    if (!to.empty()) {
        LayerNode& reader = find(model, to);
        std::replace(reader.inputs.begin(), reader.inputs.end(), from, name);
    }
    place(model, std::move(node), from);
    for (const std::string& sharer : sharers) find(model, sharer).shares = name;
}

void connectLayers(Model& model, const std::string& from, const std::string& to) {
    model.layer(from);  // throws where it is absent
    LayerNode& reader = find(model, to);
    const std::string where = "layer '" + to + "'";
    if (!takesInput(reader))
        throw Error(ErrorCode::invalid_argument, "this layer begins the model and reads no other",
                    where);
    if (reads(reader, from))
        throw Error(ErrorCode::invalid_argument, "it reads '" + from + "' already", where);
    if (dependsOn(model, from, to))
        throw Error(ErrorCode::invalid_argument,
                    "the connection would make a circle: '" + from + "' gets what it gives", where,
                    "Connect from a layer that stands above");
    if (reader.type->spec.max_inputs == 1) reader.inputs.clear();
    reader.inputs.push_back(from);
}

void disconnectLayers(Model& model, const std::string& from, const std::string& to) {
    std::erase(find(model, to).inputs, from);
}

Json copyLayers(const Model& model, const std::vector<std::string>& names) {
    Model part;
    for (const std::string& name : names) part.layers.push_back(model.layer(name));
    Json section = part.to_json();
    for (std::size_t i = 0; i < part.layers.size(); ++i)
        section["layers"][i]["config"] =
            part.layers[i].config.changed(part.layers[i].type->spec.params);
    return section;
}

std::vector<std::string> pasteLayers(Model& model, const Json& section, std::string after) {
    std::vector<std::string> made;
    std::map<std::string, std::string> copies;  // of the names that were copied
    for (const Json& entry : requireArray(section)) {
        if (!entry.is_object())
            throw Error(ErrorCode::format, "a layer is not an object", "clipboard");
        const auto config = entry.find("config");
        if (config != entry.end() && !config->is_object() && !config->is_null())
            throw Error(ErrorCode::format, "a layer's parameters are not an object", "clipboard");
        after = insertLayer(model, get_string(entry, "type", "", "clipboard"), after);
        LayerNode& node = find(model, after);
        node.config = layers::Config::checked(node.type->spec.params,
                                              config == entry.end() ? Json::object() : *config);
        made.push_back(after);
        copies[get_string(entry, "name", "", "clipboard")] = after;
    }
    const Json& entries = requireArray(section);
    for (std::size_t i = 0; i < made.size(); ++i)
        keepShared(model, made[i], get_string(entries[i], "shares", "", "clipboard"), copies);
    return made;
}

std::vector<std::string> duplicateLayers(Model& model, const std::vector<std::string>& names) {
    std::vector<LayerNode> originals;
    for (const LayerNode& node : model.layers)
        if (takesInput(node) && std::find(names.begin(), names.end(), node.name) != names.end())
            originals.push_back(node);
    if (originals.empty()) return {};
    std::vector<std::string> made;
    std::map<std::string, std::string> copies;
    std::string after = originals.back().name;
    for (LayerNode node : originals) {
        copies[node.name] = freeName(model, node.type->spec.type);
        node.name = copies[node.name];
        node.inputs = {after};
        node.shares.clear();
        replaceReader(model, after, node.name, node.name);
        made.push_back(node.name);
        const std::string previous = std::exchange(after, node.name);
        place(model, std::move(node), previous);
    }
    for (std::size_t i = 0; i < made.size(); ++i)
        keepShared(model, made[i], originals[i].shares, copies);
    return made;
}

void renameLayer(Model& model, const std::string& name, const std::string& to) {
    if (name == to) return;
    if (to.empty() || to.find('/') != std::string::npos)
        throw Error(ErrorCode::invalid_argument, "a layer's name is not empty and has no '/'",
                    "name");
    if (model.index_of(to) >= 0)
        throw Error(ErrorCode::invalid_argument, "another layer has the name '" + to + "'", "name",
                    "Choose a name that is free");
    for (const std::string& sharer : sharersOf(model, name)) find(model, sharer).shares = to;
    find(model, name).name = to;
    replaceReader(model, name, to, "");
}

}  // namespace strata::ui
