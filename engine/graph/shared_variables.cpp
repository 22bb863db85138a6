#include "engine/graph/shared_variables.h"

namespace strata::graph {
namespace {

constexpr const char* parameter = "shares";

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
    throw Error(ErrorCode::invalid_argument, what, parameter, hint);
}

std::string in_quotes(const std::string& name) {
    return "'" + name + "'";
}

// What can be said before the shapes are known.
void require_owner(const LayerNode& node, const LayerNode& owner) {
    if (node.name == owner.name)
        refuse("a layer cannot share its own weights", "Name another layer");
    if (!owner.shares.empty())
        refuse(in_quotes(owner.name) + " has no weights of its own: it shares those of " +
                   in_quotes(owner.shares),
               owner.shares == node.name ? "Let one of the two have its own"
                                         : "Name " + in_quotes(owner.shares));
    if (node.type != owner.type)
        refuse("is a " + node.type->spec.type + ", " + in_quotes(owner.name) + " is a " +
                   owner.type->spec.type,
               "Layers that share weights are of one type");
}

void require_like(const LayerNode& node, const LayerNode& owner) {
    require_owner(node, owner);
    if (node.config.json() != owner.config.json())
        refuse("its parameters are not those of " + in_quotes(owner.name),
               "Leave its \"config\" out: it takes over the owner's");
    if (node.precision != owner.precision)
        refuse("its precision is not that of " + in_quotes(owner.name),
               "Leave its \"precision\" out: it takes over the owner's");
}

void require_sharable(const LayerNode& owner, const std::vector<layers::VariableSpec>& variables) {
    if (variables.empty())
        refuse(in_quotes(owner.name) + " has no weights to share", "Name a layer that has weights");
    for (const layers::VariableSpec& variable : variables)
        if (!variable.trainable)
            refuse(in_quotes(owner.name) + " keeps a " + variable.role +
                       " of what goes through it, which cannot be shared",
                   "Give each use a " + owner.type->spec.type + " of its own");
}

void require_same_shapes(const LayerNode& owner, const std::vector<layers::VariableSpec>& own,
                         const std::vector<layers::VariableSpec>& wanted) {
    for (std::size_t i = 0; i < own.size(); ++i)
        if (i >= wanted.size() || own[i].shape != wanted[i].shape)
            refuse("for its input the " + own[i].role + " would be " +
                       (i < wanted.size() ? wanted[i].shape.text() : "another") + ", that of " +
                       in_quotes(owner.name) + " is " + own[i].shape.text(),
                   "Give both an input of the same size");
}

}  // namespace

void take_over_configuration(Model& model, std::size_t layer, const Json& given) {
    LayerNode& node = model.layers[layer];
    try {
        const int owner = model.index_of(node.shares);
        if (owner < 0)
            refuse("there is no layer " + in_quotes(node.shares), "Name a layer of this model");
        const LayerNode& named = model.layers[static_cast<std::size_t>(owner)];
        require_owner(node, named);
        Json config = named.config.json();
        if (given.is_object()) config.update(given);
        node.config = layers::Config::checked(node.type->spec.params, config);
        if (node.precision.empty()) node.precision = named.precision;
    } catch (const Error& error) {
        throw error.at("layer " + in_quotes(node.name));
    }
}

void share_variables(const Model& model, ModelReport& report) {
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const LayerNode& node = model.layers[i];
        LayerReport& entry = report.layers[i];
        if (node.shares.empty()) continue;
        entry.owner = model.index_of(node.shares);
        if (entry.error || entry.owner < 0) continue;
        const auto owner = static_cast<std::size_t>(entry.owner);
        const LayerReport& owned = report.layers[owner];
        try {
            require_like(node, model.layers[owner]);
            if (!owned.output || !entry.output) continue;
            require_sharable(model.layers[owner], owned.variables);
            require_same_shapes(model.layers[owner], owned.variables, entry.variables);
        } catch (const Error& error) {
            entry.error = error;
        }
    }
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        if (!model.layers[i].shares.empty()) report.layers[i].variables.clear();
}

}  // namespace strata::graph
