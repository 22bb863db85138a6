// Edits of layers that compute with another layer's weights. Plain functions; the document makes
// undo commands of them.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace strata::ui {

// The layers that use this one's weights, in the model's order.
std::vector<std::string> sharersOf(const graph::Model& model, const std::string& owner);

// Whether a layer has weights that another may use: some, and all of them trained.
bool canBeShared(const graph::LayerReport& report);

// The layers whose weights this one may use: of its type, with its parameters, and with weights of
// the shapes that it would have itself.
std::vector<std::string> ownersFor(const graph::Model& model, const std::string& name);

// Makes a layer use the weights of `owner`, or with "" its own again. Those that used its weights
// go with it. Throws strata::Error where one of the two is absent.
void shareWeights(graph::Model& model, const std::string& name, const std::string& owner);

// After a change of a layer's parameters: those that use its weights have the same.
void followOwner(graph::Model& model, const std::string& owner);

// Before a layer goes: of those that use its weights and stay, the first has them from now on.
void handOnWeights(graph::Model& model, const std::string& owner,
                   const std::vector<std::string>& leaving);

}  // namespace strata::ui
