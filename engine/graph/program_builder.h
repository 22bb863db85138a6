// Builds the program of one pass from a model: forward, loss and metrics, backward, or the update.
// Used by make_plan only. Its members stand in program_builder.cpp (state, forward, loss),
// program_backward.cpp (backward, recomputation), program_ports.cpp (stages) and
// program_update.cpp.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/contexts.h"
#include "engine/graph/plan.h"

namespace strata::graph {

class ProgramBuilder {
public:
    ProgramBuilder(const Model& model, const ModelReport& report, const StateLayout& state,
                   const TrainingSetup* setup, Mode mode, std::int64_t batch, DType input_dtype,
                   const StageCut* cut);

    // The plan without places.
    Plan build();

private:
    // ---- state: persistent values, the same in every plan
    void add_state();
    void add_copies();
    void add_window_statistics();
    void add_variables(std::size_t layer);
    ops::ValueId add_persistent(const std::string& name, const Shape& shape, DType dtype,
                                device::Category category);
    ops::ValueId add_transient(const std::string& name, const Shape& shape, DType dtype,
                               device::Category category = device::Category::activations);
    ops::ValueId view_at(ops::ValueId base, std::size_t offset, const Shape& shape,
                         const std::string& name);
    ops::ValueId result(const std::string& name, std::size_t place);
    ops::ValueId sums_at(std::size_t place, const std::string& name);
    bool sums_window() const;
    DType compute_of(std::size_t layer) const;

    // ---- ports of a stage
    bool own(std::size_t layer) const;  // stands in this stage
    // The other stages that read a layer's output, ascending.
    std::vector<int> reader_stages(std::size_t layer) const;
    void receive_outputs();
    void send_outputs();
    void receive_gradients();
    void send_gradients();

    // ---- forward and loss
    void forward();
    void add_input(std::size_t layer);
    void find_needed_gradients();
    void forward_layer(std::size_t layer);
    void loss_and_metrics();
    void add_to_window();
    void find_probes();
    ops::ValueId cast(ops::ValueId value, DType dtype, const std::string& layer);

    // ---- backward
    void backward();
    void backward_layer(std::size_t layer);
    void accumulate(std::size_t layer);
    // Whether a layer's backward pass is the first of this program to make a gradient of the
    // variable: the last reader in the order.
    bool begins_gradient(std::size_t layer, const VariablePlace& place) const;
    // Programs of several stages of this device make the variable's gradient, in whatever order:
    // all add to it, and whoever runs them clears it before.
    bool has_several_stages(const VariablePlace& place) const;
    // The layer writes the variable's gradient where the update reads it.
    bool writes_gradient(std::size_t layer, const VariablePlace& place) const;
    // Whose variables a layer computes with.
    std::size_t owner_of(std::size_t layer) const;
    ops::ValueId summed_gradient(std::size_t layer);
    // A value of the forward pass as the backward pass sees it: computed again where its layer is
    // marked so.
    ops::ValueId seen(ops::ValueId value);
    ops::ValueId copy_of(ops::ValueId value);
    void compute_again(std::size_t layer);
    LayerValues seen(const LayerValues& values);

    // ---- update
    void update();
    void update_weights();
    void sum_squares(const std::vector<OwnedPart>& parts);
    void update_part(const OwnedPart& part);
    ops::ValueId view_of(ops::ValueId array, std::size_t element, std::size_t count);
    void update_statistics();
    void refresh();

    void emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
              std::vector<ops::ValueId> outputs, const std::string& layer);
    LayerPlace place_of(std::size_t layer) const;

    const Model& model_;
    const ModelReport& report_;
    const StateLayout& state_;
    const TrainingSetup* setup_;
    DType input_dtype_;
    const StageCut* cut_;  // null: the whole model
    Plan plan_;
    std::vector<LayerValues> values_;
    std::vector<std::vector<ops::ValueId>> gradients_;  // of each layer's output, one a reader
    std::vector<bool> needs_gradient_;  // trainable variables in the layer or before it
    ops::ValueId weights_ = ops::no_value, weight_gradients_ = ops::no_value;
    std::vector<ops::ValueId> slots_;
    std::vector<ops::ValueId> copies_;  // 16-bit, of each variable; no_value where it has none
    std::map<std::size_t, ops::ValueId> window_statistics_;  // by the variable's number
    std::map<std::pair<ops::ValueId, DType>, ops::ValueId> casts_;
    ops::ValueId logits_ = ops::no_value, loss_gradient_ = ops::no_value;
    int top_ = -1;  // the layer where the loss's gradient enters; those after it pass theirs on
    std::vector<std::pair<std::size_t, std::size_t>> forward_ops_;  // of each layer: begin, end
    std::map<ops::ValueId, std::size_t> made_by_;  // a root of the forward pass: its layer
    std::map<ops::ValueId, ops::ValueId> again_;   // computed again in the backward pass
};

}  // namespace strata::graph
