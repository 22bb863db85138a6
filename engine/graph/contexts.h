// What a layer's forward and backward see while a program is built. Used by program_builder and
// layer_runner.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/layers/layer.h"

namespace strata::graph {

// The values of one use of a layer in a program.
struct LayerValues {
    std::vector<ops::ValueId> inputs;
    ops::ValueId output = ops::no_value;
    std::map<std::string, ops::ValueId> variables, gradients, kept;
    std::map<std::string, ops::ValueId> window_statistics;  // by role; empty: none are deferred
};

struct LayerPlace {
    const layers::LayerDescription* type = nullptr;
    const layers::Config* config = nullptr;
    std::string name;
    std::uint32_t stream = 0;
    std::int64_t batch = 0;
    bool training = false;
    DType compute = DType::float32;
};

class ForwardEmitter final : public layers::ForwardContext {
public:
    ForwardEmitter(ops::Program& program, LayerPlace place, LayerValues& values)
        : program_(program), place_(std::move(place)), values_(values) {}

    const layers::Config& config() const override { return *place_.config; }
    bool training() const override { return place_.training; }
    std::int64_t batch() const override { return place_.batch; }
    std::uint32_t stream() const override { return place_.stream; }
    int input_count() const override { return static_cast<int>(values_.inputs.size()); }
    ops::ValueId input(int i) const override {
        return values_.inputs.at(static_cast<std::size_t>(i));
    }
    ops::ValueId variable(const std::string& role) const override {
        return values_.variables.at(role);
    }
    bool defers_statistics() const override { return !values_.window_statistics.empty(); }
    ops::ValueId window_statistic(const std::string& role) const override {
        return values_.window_statistics.at(role);
    }
    DType compute() const override { return place_.compute; }
    const ops::Value& value(ops::ValueId id) const override { return program_[id]; }
    using ForwardContext::make;
    ops::ValueId make(const std::string& name, const Shape& shape, DType dtype) override;
    ops::ValueId view(ops::ValueId id, const Shape& shape) override {
        return program_.view(id, shape);
    }
    void emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
              std::vector<ops::ValueId> outputs) override;
    void keep(const std::string& name, ops::ValueId id) override { values_.kept[name] = id; }
    void set_output(ops::ValueId id) override { values_.output = id; }

private:
    ops::Program& program_;
    LayerPlace place_;
    LayerValues& values_;
};

class BackwardEmitter final : public layers::BackwardContext {
public:
    // output_gradient: dy, or no_value where only logits_gradient is known: the gradient of what
    // went into the layer's activation, given by a loss that was fused with it.
    BackwardEmitter(ops::Program& program, LayerPlace place, const LayerValues& values,
                    std::vector<bool> needs_input_gradient, ops::ValueId output_gradient,
                    ops::ValueId logits_gradient = ops::no_value)
        : input_gradients(values.inputs.size(), ops::no_value),
          program_(program),
          place_(std::move(place)),
          values_(values),
          needs_(std::move(needs_input_gradient)),
          output_gradient_(output_gradient),
          logits_gradient_(logits_gradient) {}

    const layers::Config& config() const override { return *place_.config; }
    std::int64_t batch() const override { return place_.batch; }
    std::uint32_t stream() const override { return place_.stream; }
    int input_count() const override { return static_cast<int>(values_.inputs.size()); }
    ops::ValueId input(int i) const override {
        return values_.inputs.at(static_cast<std::size_t>(i));
    }
    ops::ValueId output() const override { return values_.output; }
    ops::ValueId kept(const std::string& name) const override { return values_.kept.at(name); }
    ops::ValueId variable(const std::string& role) const override {
        return values_.variables.at(role);
    }
    ops::ValueId variable_gradient(const std::string& role) const override {
        return values_.gradients.at(role);
    }
    ops::ValueId output_gradient() override { return output_gradient_; }
    bool needs_input_gradient(int i) const override {
        return needs_.at(static_cast<std::size_t>(i));
    }
    DType compute() const override { return place_.compute; }
    const ops::Value& value(ops::ValueId id) const override { return program_[id]; }
    using BackwardContext::make;
    ops::ValueId make(const std::string& name, const Shape& shape, DType dtype) override;
    ops::ValueId view(ops::ValueId id, const Shape& shape) override {
        return program_.view(id, shape);
    }
    void emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
              std::vector<ops::ValueId> outputs) override;
    void set_input_gradient(int i, ops::ValueId id) override {
        input_gradients.at(static_cast<std::size_t>(i)) = id;
    }
    ops::ValueId activate_backward(const ops::Activation& activation) override;

    std::vector<ops::ValueId> input_gradients;  // what the layer set; no_value where it did not

private:
    ops::ValueId computable(ops::ValueId gradient);  // in the layer's compute type

    ops::Program& program_;
    LayerPlace place_;
    const LayerValues& values_;
    std::vector<bool> needs_;
    ops::ValueId output_gradient_, logits_gradient_;
};

}  // namespace strata::graph
