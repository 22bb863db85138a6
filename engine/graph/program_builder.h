// Builds the program of one pass from a model: forward, loss and metrics, backward, update. Used by
// make_plan only.
#pragma once

#include <string>
#include <vector>

#include "engine/graph/contexts.h"
#include "engine/graph/plan.h"

namespace strata::graph {

class ProgramBuilder {
public:
    ProgramBuilder(const Model& model, const ModelReport& report, const StateLayout& state,
                   const TrainingSetup* setup, Mode mode, std::int64_t batch, DType input_dtype);

    // The plan without places.
    Plan build();

private:
    void add_state();
    void add_variables(std::size_t layer);
    void add_input(std::size_t layer);
    void forward_layer(std::size_t layer);
    void loss_and_metrics();
    void backward();
    void backward_layer(std::size_t layer);
    void update();
    ops::ValueId add_persistent(const std::string& name, const Shape& shape, DType dtype,
                                device::Category category);
    ops::ValueId view_at(ops::ValueId base, std::size_t offset, const Shape& shape,
                         const std::string& name);
    ops::ValueId result(const std::string& name);
    ops::ValueId summed_gradient(std::size_t layer);
    void emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
              std::vector<ops::ValueId> outputs, const std::string& layer);
    LayerPlace place_of(std::size_t layer) const;

    const Model& model_;
    const ModelReport& report_;
    const StateLayout& state_;
    const TrainingSetup* setup_;
    DType input_dtype_;
    Plan plan_;
    std::vector<LayerValues> values_;
    std::vector<std::vector<ops::ValueId>> gradients_;  // of each layer's output, one a reader
    std::vector<bool> needs_gradient_;  // trainable variables in the layer or before it
    ops::ValueId weights_ = ops::no_value, weight_gradients_ = ops::no_value;
    std::vector<ops::ValueId> slots_;
    ops::ValueId logits_ = ops::no_value, loss_gradient_ = ops::no_value;
    int top_ = -1;  // the layer where the loss's gradient enters; those after it pass theirs on
    ops::ValueId results_ = ops::no_value;
    std::size_t result_count_ = 0;
};

}  // namespace strata::graph
