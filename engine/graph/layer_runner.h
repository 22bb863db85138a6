// Runs one layer alone, forward and backward, on any device: for the derived tests and the
// self-test.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/layers/layer.h"
#include "engine/ops/backend.h"

namespace strata::graph {

struct LayerRun {
    Shape output_shape;  // with the batch
    std::vector<float> output;
    std::vector<std::vector<float>> input_gradients;               // empty in inference
    std::map<std::string, std::vector<float>> variable_gradients;  // by role
    std::map<std::string, std::vector<float>>
        variables;  // afterwards: moving statistics change in training
};

class LayerRunner {
public:
    // inputs: sample shapes. Throws what infer and the backend throw.
    LayerRunner(const layers::LayerDescription& type, layers::Config config,
                std::vector<Shape> inputs);

    const layers::Inference& inference() const { return inference_; }

    // inputs: (batch, ...) each; variables by role, all of inference().variables; dy: (batch,
    // output), empty = forward only, as in inference. dy itself enters the backward pass: gradients
    // are of sum(dy * y).
    LayerRun run(std::int64_t batch, const std::vector<std::vector<float>>& inputs,
                 const std::map<std::string, std::vector<float>>& variables,
                 const std::vector<float>& dy, const ops::StepScalars& scalars = {},
                 const std::string& device = "cpu:0") const;

private:
    const layers::LayerDescription& type_;
    layers::Config config_;
    std::vector<Shape> inputs_;
    layers::Inference inference_;
};

}  // namespace strata::graph
