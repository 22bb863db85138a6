// A model: a directed graph of layers, as the project file holds it. Knows no device memory and
// runs nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/layers/layer.h"

namespace strata::graph {

struct LayerNode {
    std::string name;
    const layers::LayerDescription* type = nullptr;
    layers::Config config;
    std::vector<std::string> inputs;  // names of layers
    std::string device = "cpu:0";
    std::string precision;   // a policy of its own: "float32"; "": the project's
    bool recompute = false;  // its activations are computed again in the backward pass
    // Another layer of the same type and configuration, whose variables it computes with: tied
    // weights. "": it has its own.
    std::string shares;
};

// The type in which layers of a policy compute; their variables are float32. Throws
// Error{invalid_argument}.
DType compute_type(const std::string& policy, const std::string& where);

// Layers in the file's order. Exactly one InputLayer and one output (a layer that nobody reads)
// where it is complete.
class Model {
public:
    // The project's "model" section: {"layers": [{"name","type","config","inputs","device"}]}. A
    // layer that shares another's variables may leave its configuration out.
    // Throws Error naming layer and parameter: unknown type or key, bad value, duplicate name, an
    // input that does not exist.
    static Model from_json(const Json& section);
    Json to_json() const;

    std::vector<LayerNode> layers;

    const LayerNode& layer(const std::string& name) const;  // throws Error{not_found}
    int index_of(const std::string& name) const;            // -1 where absent
};

struct VariableInfo {
    std::string layer, role;
    layers::VariableSpec spec;
};

struct LayerReport {
    std::optional<Shape>
        output;  // without the batch; empty where it or a layer before it has an error
    // The layer whose variables it computes with; -1: its own. They are counted there, once.
    int owner = -1;
    std::int64_t parameters = 0;  // trainable and not
    std::int64_t trainable_parameters = 0;
    std::int64_t flops = 0;             // of one sample forward
    std::int64_t activation_bytes = 0;  // of one sample's output
    std::vector<layers::VariableSpec> variables;
    std::optional<Error> error;  // this layer's own fault
};

struct ModelReport {
    std::vector<LayerReport> layers;  // in the order of Model::layers
    std::vector<int> order;           // topological; without the layers of a cycle
    int input = -1, output = -1;      // indices; -1 where there is none or more than one
    std::optional<Error> error;       // of the whole: cycle, two inputs, two outputs
    std::int64_t parameters = 0, trainable_parameters = 0, flops = 0;

    // The first fault with the layer's name, or nothing.
    std::optional<Error> first_error(const Model& model) const;
};

// Infers all shapes; never throws for a fault of the model: it is in the report, so that the canvas
// can show the rest.
ModelReport analyze(const Model& model);

// The same, but throws the first fault.
ModelReport require_valid(const Model& model);

}  // namespace strata::graph
