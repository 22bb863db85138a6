// One layer's description: the single place in which the product knows of it. See
// engine/layers/dense.cpp. Shapes in infer are a sample's, without the batch; in forward and
// backward values carry the batch first.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/layers/spec.h"
#include "engine/ops/op.h"

namespace strata::layers {

struct LayerSpec {
    std::string type;                  // permanent id and Keras class name: "Conv2D"
    std::vector<std::string> aliases;  // other names in Keras files and in search
    LayerCategory category = LayerCategory::core;
    std::string icon;                    // resources/icons/<icon>.svg
    std::string doc;                     // one sentence
    int min_inputs = 1, max_inputs = 1;  // max_inputs -1: any number
    std::vector<ParamSpec> params;
    bool float32_only = false;  // computes in float32 under every precision: augmentation
};

enum class Initializer : std::uint8_t { zeros, ones, glorot_uniform };

struct VariableSpec {
    std::string role;  // Keras's: "kernel", "bias", "gamma", "moving_mean"
    Shape shape;
    Initializer initializer = Initializer::zeros;
    bool trainable = true;
    std::int64_t fan_in = 0, fan_out = 0;  // for glorot_uniform: limit sqrt(6 / (fan_in + fan_out))
    // Of a moving average that follows a statistic of each batch: the share that stays.
    std::optional<float> momentum = std::nullopt;
};

struct Inference {
    Shape output;                         // without the batch
    std::vector<VariableSpec> variables;  // in Keras's file order: trainable, then not
    std::int64_t flops = 0;               // of one sample forward, a multiply-add is 2
    DType output_dtype = DType::float32;
};

// What forward() sees and how it answers. Values made here live as long as somebody reads them.
class ForwardContext {
public:
    virtual ~ForwardContext() = default;
    virtual const Config& config() const = 0;
    virtual bool training() const = 0;
    virtual std::int64_t batch() const = 0;
    virtual std::uint32_t stream() const = 0;  // the layer's own random stream
    virtual int input_count() const = 0;
    virtual ops::ValueId input(int i = 0) const = 0;
    virtual ops::ValueId variable(const std::string& role) const = 0;
    // Whether the layer leaves its moving averages (VariableSpec::momentum) alone and gives the
    // batch's statistics to window_statistic(role) instead, by ops::AccumulateStatistics: they are
    // then updated once for a whole window of micro-batches.
    virtual bool defers_statistics() const = 0;
    virtual ops::ValueId window_statistic(const std::string& role) const = 0;
    virtual DType compute() const = 0;  // of inputs, variables that are matrices, and the output
    virtual const ops::Value& value(ops::ValueId id) const = 0;
    virtual ops::ValueId make(const std::string& name, const Shape& shape_with_batch,
                              DType dtype) = 0;
    ops::ValueId make(const std::string& name, const Shape& shape_with_batch) {
        return make(name, shape_with_batch, compute());
    }
    virtual ops::ValueId view(ops::ValueId id, const Shape& shape_with_batch) = 0;
    virtual void emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
                      std::vector<ops::ValueId> outputs) = 0;
    // Names a value for backward(). Inputs, the output and variables need no keeping.
    virtual void keep(const std::string& name, ops::ValueId id) = 0;
    virtual void set_output(ops::ValueId id) = 0;

    // What make() would give, but float32 where a row-wise activation reads it.
    ops::ValueId make_for(const ops::Activation& activation, const std::string& name,
                          const Shape& shape_with_batch);
    // y = activation(x), kept for BackwardContext::activate_backward; returns x where it is linear.
    // The plan may fuse it into the op before, and softmax or sigmoid into the loss after. Row-wise
    // ones take and give float32.
    ops::ValueId activate(ops::ValueId x, const ops::Activation& activation);
};

// What backward() sees. It is asked for the gradients of variables always, of inputs where
// needs_input_gradient.
class BackwardContext {
public:
    virtual ~BackwardContext() = default;
    virtual const Config& config() const = 0;
    virtual std::int64_t batch() const = 0;
    virtual std::uint32_t stream() const = 0;
    virtual int input_count() const = 0;
    virtual ops::ValueId input(int i = 0) const = 0;
    virtual ops::ValueId output() const = 0;
    virtual ops::ValueId kept(const std::string& name) const = 0;
    virtual ops::ValueId variable(const std::string& role) const = 0;
    virtual ops::ValueId variable_gradient(const std::string& role) const = 0;  // to be overwritten
    virtual ops::ValueId
    output_gradient() = 0;  // dy; may be overwritten in place when nobody else reads it
    virtual bool needs_input_gradient(int i = 0) const = 0;
    virtual DType compute() const = 0;
    virtual const ops::Value& value(ops::ValueId id) const = 0;
    virtual ops::ValueId make(const std::string& name, const Shape& shape_with_batch,
                              DType dtype) = 0;
    ops::ValueId make(const std::string& name, const Shape& shape_with_batch) {
        return make(name, shape_with_batch, compute());
    }
    virtual ops::ValueId view(ops::ValueId id, const Shape& shape_with_batch) = 0;
    virtual void emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
                      std::vector<ops::ValueId> outputs) = 0;
    virtual void set_input_gradient(int i, ops::ValueId id) = 0;

    // Gradient of the x that was given to ForwardContext::activate (dy itself where linear; what
    // the loss gave where it was fused with the loss).
    virtual ops::ValueId activate_backward(const ops::Activation& activation) = 0;
};

struct LayerExample {
    std::string name;
    Json config;
    std::vector<Shape> inputs;  // without the batch
};

struct LayerDescription {
    LayerSpec spec;
    // Throws Error{invalid_argument} with where = the parameter's key, or "" for the inputs.
    std::function<Inference(const Config&, std::span<const Shape>)> infer;
    std::function<void(ForwardContext&)> forward;
    std::function<void(BackwardContext&)> backward;
    std::vector<LayerExample> examples;
    // The short form of the main parameters on a card: "32 filters · 3 × 3 · relu". Empty: none.
    std::function<std::string(const Config&)> summary;
};

}  // namespace strata::layers
