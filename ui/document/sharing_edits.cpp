#include "ui/document/sharing_edits.h"

#include <algorithm>

namespace strata::ui {
namespace {

using graph::LayerNode;
using graph::LayerReport;
using graph::Model;

LayerNode& find(Model& model, const std::string& name) {
    model.layer(name);  // throws where it is absent
    return model.layers[static_cast<std::size_t>(model.index_of(name))];
}

// As if no layer shared: what each would have of its own.
graph::ModelReport reportOfOwn(Model model) {
    for (LayerNode& node : model.layers) node.shares.clear();
    return graph::analyze(model);
}

bool haveOneShape(const LayerReport& one, const LayerReport& other) {
    return std::equal(one.variables.begin(), one.variables.end(), other.variables.begin(),
                      other.variables.end(),
                      [](const auto& a, const auto& b) { return a.shape == b.shape; });
}

void takeOver(LayerNode& node, const LayerNode& owner) {
    node.config = owner.config;
    node.precision = owner.precision;
}

}  // namespace

std::vector<std::string> sharersOf(const Model& model, const std::string& owner) {
    std::vector<std::string> names;
    for (const LayerNode& node : model.layers)
        if (!owner.empty() && node.shares == owner) names.push_back(node.name);
    return names;
}

bool canBeShared(const LayerReport& report) {
    return !report.variables.empty() &&
           std::all_of(report.variables.begin(), report.variables.end(),
                       [](const auto& variable) { return variable.trainable; });
}

std::vector<std::string> ownersFor(const Model& model, const std::string& name) {
    const int at = model.index_of(name);
    if (at < 0) return {};
    const LayerNode& node = model.layers[static_cast<std::size_t>(at)];
    const graph::ModelReport report = reportOfOwn(model);
    const LayerReport& own = report.layers[static_cast<std::size_t>(at)];
    std::vector<std::string> owners;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const LayerNode& other = model.layers[i];
        if (other.name == name || other.type != node.type || !other.shares.empty()) continue;
        if (other.config.json() != node.config.json() || other.precision != node.precision)
            continue;
        if (canBeShared(report.layers[i]) && haveOneShape(own, report.layers[i]))
            owners.push_back(other.name);
    }
    return owners;
}

void shareWeights(Model& model, const std::string& name, const std::string& owner) {
    LayerNode& node = find(model, name);
    if (owner.empty()) {
        node.shares.clear();
        return;
    }
    const std::string& root = model.layer(owner).shares;
    const std::string has = root.empty() ? owner : root;
    if (has == name) return;  // the other has this one's already
    for (const std::string& sharer : sharersOf(model, name)) find(model, sharer).shares = has;
    node.shares = has;
    takeOver(node, model.layer(has));
    followOwner(model, has);
}

void followOwner(Model& model, const std::string& owner) {
    const LayerNode named = model.layer(owner);
    for (LayerNode& node : model.layers)
        if (node.shares == owner) takeOver(node, named);
}

void handOnWeights(Model& model, const std::string& owner,
                   const std::vector<std::string>& leaving) {
    std::string heir;
    for (LayerNode& node : model.layers) {
        if (node.shares != owner) continue;
        if (std::find(leaving.begin(), leaving.end(), node.name) != leaving.end()) continue;
        node.shares = heir;  // the first has its own from now on
        if (heir.empty()) heir = node.name;
    }
}

}  // namespace strata::ui
