// Edits of a model that keep its wiring whole. Plain functions; the document makes undo commands of
// them.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace strata::ui {

// A name that no layer has: "dense", "dense_1", ...
std::string freeName(const graph::Model& model, const std::string& type);

// Puts a new layer behind `after` ("" = at the end of the chain, or first): its readers then read
// the new layer. Returns its name.
std::string insertLayer(graph::Model& model, const std::string& type, const std::string& after);
// Puts a new layer on the edge from -> to only.
std::string insertOnEdge(graph::Model& model, const std::string& type, const std::string& from,
                         const std::string& to);
// Puts a new layer that reads `source` beside its other readers: the start of a branch.
std::string branchFrom(graph::Model& model, const std::string& type, const std::string& source);
// A new Add or Concatenate that reads the given layers; what read the last of them and is none of
// them then reads it.
std::string mergeLayers(graph::Model& model, const std::string& type,
                        const std::vector<std::string>& names);
// Removes layers; readers of a removed one read what it read, and of those that used its weights
// the first has them.
void removeLayers(graph::Model& model, const std::vector<std::string>& names);
// Takes a layer out of its place and puts it on the edge from -> to only; to "" = the loss.
void moveLayer(graph::Model& model, const std::string& name, const std::string& from,
               const std::string& to);
// Makes `to` read `from`: beside its other inputs where it takes any number, else instead of its
// input. Throws strata::Error where it takes none, reads it already, or the way would be a circle.
void connectLayers(graph::Model& model, const std::string& from, const std::string& to);
void disconnectLayers(graph::Model& model, const std::string& from, const std::string& to);
// Layers for pasteLayers(): as Model::to_json writes them, each with its parameters, so that one
// that uses another's weights can stand alone.
Json copyLayers(const graph::Model& model, const std::vector<std::string>& names);
// Puts layers behind `after`, in a chain and under free names. One that used another's weights uses
// those of the other's copy where it comes along, else the other's where it is there and alike,
// else its own. Returns the names. Throws strata::Error where `section` is none such.
std::vector<std::string> pasteLayers(graph::Model& model, const Json& section, std::string after);
// A copy of each layer behind the last of them; of shared weights as pasteLayers(). Returns the new
// names.
std::vector<std::string> duplicateLayers(graph::Model& model,
                                         const std::vector<std::string>& names);
// Throws strata::Error where the name is taken or empty.
void renameLayer(graph::Model& model, const std::string& name, const std::string& to);

}  // namespace strata::ui
