#include "engine/graph/program_builder.h"

#include <algorithm>

namespace strata::graph {
namespace {

using device::Category;
using ops::no_value;
using ops::ValueId;

// Random streams below this belong to the initializers (one a variable); dropout's follow.
constexpr std::uint32_t first_layer_stream = 0x10000;
constexpr std::size_t result_bytes = sizeof(double);

}  // namespace

ProgramBuilder::ProgramBuilder(const Model& model, const ModelReport& report,
                               const StateLayout& state, const TrainingSetup* setup, Mode mode,
                               std::int64_t batch, DType input_dtype)
    : model_(model),
      report_(report),
      state_(state),
      setup_(setup),
      input_dtype_(input_dtype),
      values_(model.layers.size()),
      gradients_(model.layers.size()),
      needs_gradient_(model.layers.size(), false) {
    plan_.mode = mode;
    plan_.batch = batch;
}

Plan ProgramBuilder::build() {
    add_state();
    for (int i : report_.order) {
        const auto layer = static_cast<std::size_t>(i);
        add_variables(layer);
        if (i == report_.input) {
            add_input(layer);
        } else {
            forward_layer(layer);
        }
    }
    plan_.output = values_[static_cast<std::size_t>(report_.output)].output;
    if (plan_.mode != Mode::predict) loss_and_metrics();
    if (plan_.mode == Mode::train) {
        backward();
        update();
    }
    return std::move(plan_);
}

ValueId ProgramBuilder::add_persistent(const std::string& name, const Shape& shape, DType dtype,
                                       Category category) {
    ops::Value value;
    value.name = name;
    value.shape = shape;
    value.dtype = dtype;
    value.category = category;
    value.persistent = true;
    return plan_.program.add(std::move(value));
}

ValueId ProgramBuilder::view_at(ValueId base, std::size_t offset, const Shape& shape,
                                const std::string& name) {
    ops::Value value;
    value.name = name;
    value.shape = shape;
    value.dtype = plan_.program[base].dtype;
    value.category = plan_.program[base].category;
    value.persistent = true;
    value.base = base;
    value.offset = offset;
    return plan_.program.add(std::move(value));
}

void ProgramBuilder::emit(ops::Attributes attributes, std::vector<ValueId> inputs,
                          std::vector<ValueId> outputs, const std::string& layer) {
    plan_.program.ops.push_back(
        {std::move(attributes), std::move(inputs), std::move(outputs), layer});
}

LayerPlace ProgramBuilder::place_of(std::size_t layer) const {
    const LayerNode& node = model_.layers[layer];
    return {node.type,   &node.config,
            node.name,   first_layer_stream + static_cast<std::uint32_t>(layer),
            plan_.batch, plan_.mode == Mode::train};
}

// The flat arrays, the same in every plan, so that all plans share one arena.
void ProgramBuilder::add_state() {
    const auto floats = [](std::size_t bytes) {
        return Shape{static_cast<std::int64_t>(bytes / sizeof(float))};
    };
    weights_ =
        add_persistent("weights", floats(state_.weight_bytes), DType::float32, Category::weights);
    const Shape trainable = floats(state_.trainable_bytes);
    if (plan_.mode == Mode::train) {
        weight_gradients_ =
            add_persistent("gradients", trainable, DType::float32, Category::gradients);
        for (const std::string& slot : state_.slots)
            slots_.push_back(add_persistent(slot, trainable, DType::float32, Category::optimizer));
    }
    const auto results =
        static_cast<std::int64_t>(2 + (setup_ == nullptr ? 0 : setup_->metrics.size()));
    results_ = add_persistent("results", Shape{results}, DType::float64, Category::workspace);
}

ValueId ProgramBuilder::result(const std::string& name) {
    return view_at(results_, result_bytes * result_count_++, Shape{}, name);
}

void ProgramBuilder::add_variables(std::size_t layer) {
    const std::string& name = model_.layers[layer].name;
    for (const VariablePlace& place : state_.variables) {
        if (place.layer != name) continue;
        const std::string path = name + "/" + place.role;
        values_[layer].variables[place.role] =
            view_at(weights_, place.offset, place.spec.shape, path);
        if (!place.spec.trainable) continue;
        needs_gradient_[layer] = true;
        if (plan_.mode == Mode::train)
            values_[layer].gradients[place.role] =
                view_at(weight_gradients_, place.offset, place.spec.shape, path + "_gradient");
    }
}

void ProgramBuilder::add_input(std::size_t layer) {
    const Shape shape = report_.layers[layer].output->with_batch(plan_.batch);
    const std::string& name = model_.layers[layer].name;
    plan_.input = add_persistent(name, shape, input_dtype_, Category::input);
    values_[layer].output = plan_.input;
    if (input_dtype_ == DType::float32) return;
    ops::Value cast;
    cast.name = name + "/float32";
    cast.shape = shape;
    values_[layer].output = plan_.program.add(std::move(cast));
    emit(ops::ScaleShift{}, {plan_.input}, {values_[layer].output}, name);
}

void ProgramBuilder::forward_layer(std::size_t layer) {
    LayerValues& values = values_[layer];
    for (const std::string& input : model_.layers[layer].inputs) {
        const auto source = static_cast<std::size_t>(model_.index_of(input));
        values.inputs.push_back(values_[source].output);
        if (needs_gradient_[source]) needs_gradient_[layer] = true;
    }
    ForwardEmitter emitter(plan_.program, place_of(layer), values);
    model_.layers[layer].type->forward(emitter);
}

void ProgramBuilder::loss_and_metrics() {
    const ValueId output = plan_.output;
    const Shape output_shape = plan_.program[output].shape;
    const losses::LossDescription& loss = *setup_->loss;
    ops::Attributes attributes = loss.from_output;
    ValueId source = output;
    top_ = report_.output;
    for (const ops::Op& op : plan_.program.ops) {
        const auto* activation = std::get_if<ops::ActivationForward>(&op.attributes);
        if (activation == nullptr || loss.fuses == ops::ActivationKind::linear ||
            activation->activation.kind != loss.fuses || op.outputs[0] != output)
            continue;
        logits_ = source = op.inputs[0];
        // Not always the output layer: one that passes its input on has no op of its own.
        top_ = model_.index_of(op.layer);
        attributes = loss.from_logits;
        plan_.fusions.push_back(op.layer + ": " + ops::name_of(loss.fuses) + " inside the loss");
    }
    const bool by_index = loss.target == losses::TargetKind::class_index;
    plan_.targets = add_persistent("targets", by_index ? Shape{plan_.batch} : output_shape,
                                   by_index ? DType::int32 : DType::float32, Category::input);
    plan_.loss = result("loss");
    const Shape sample = output_shape.without_batch();
    // A sample with several positions, (28, 28, 1), is one row: a loss is a mean over all its
    // values.
    const Shape rows{plan_.batch, sample.elements()};
    const auto as_rows = [&](ValueId id) {
        return sample.rank() < 2 ? id : plan_.program.view(id, rows);
    };
    const std::vector<ValueId> operands{as_rows(source),
                                        by_index ? plan_.targets : as_rows(plan_.targets)};
    for (const metrics::MetricDescription* metric : setup_->metrics) {
        plan_.metrics.push_back(result(metric->name));
        emit(metric->op(loss.name, sample, logits_ != no_value), operands, {plan_.metrics.back()},
             metric->name);
    }
    std::vector<ValueId> outputs{plan_.loss};
    if (plan_.mode == Mode::train) {
        ops::Value gradient;
        gradient.name = "loss/gradient";
        gradient.shape = plan_.program[source].shape;
        loss_gradient_ = plan_.program.add(std::move(gradient));
        outputs.push_back(as_rows(loss_gradient_));
    }
    emit(std::move(attributes), operands, std::move(outputs), "loss");
}

void ProgramBuilder::backward() {
    for (auto layer = report_.order.rbegin(); layer != report_.order.rend(); ++layer)
        if (*layer != report_.input && needs_gradient_[static_cast<std::size_t>(*layer)])
            backward_layer(static_cast<std::size_t>(*layer));
}

ValueId ProgramBuilder::summed_gradient(std::size_t layer) {
    const std::vector<ValueId>& parts = gradients_[layer];
    if (parts.size() < 2) return parts.empty() ? no_value : parts[0];
    ops::Value sum;
    sum.name = model_.layers[layer].name + "/output_gradient";
    sum.shape = plan_.program[values_[layer].output].shape;
    const ValueId id = plan_.program.add(std::move(sum));
    emit(ops::AddN{}, parts, {id}, model_.layers[layer].name);
    return id;
}

void ProgramBuilder::backward_layer(std::size_t layer) {
    const bool top = static_cast<int>(layer) == top_;
    const bool fused = top && logits_ != no_value;
    const ValueId dy = top ? (fused ? no_value : loss_gradient_) : summed_gradient(layer);
    if (dy == no_value && !fused) return;
    std::vector<std::size_t> sources;
    std::vector<bool> needs;
    for (const std::string& input : model_.layers[layer].inputs) {
        sources.push_back(static_cast<std::size_t>(model_.index_of(input)));
        needs.push_back(needs_gradient_[sources.back()]);
    }
    BackwardEmitter emitter(plan_.program, place_of(layer), values_[layer], needs, dy,
                            fused ? loss_gradient_ : no_value);
    model_.layers[layer].type->backward(emitter);
    for (std::size_t i = 0; i < sources.size(); ++i)
        if (needs[i] && emitter.input_gradients[i] != no_value)
            gradients_[sources[i]].push_back(emitter.input_gradients[i]);
}

void ProgramBuilder::update() {
    if (state_.trainable_bytes == 0) return;
    plan_.gradient_norm = result("gradient_norm");
    emit(ops::SumOfSquares{}, {weight_gradients_}, {plan_.gradient_norm}, "optimizer");
    const Shape trainable{static_cast<std::int64_t>(state_.trainable_bytes / sizeof(float))};
    std::vector<ValueId> operands{view_at(weights_, 0, trainable, "trainable_weights"),
                                  weight_gradients_};
    operands.insert(operands.end(), slots_.begin(), slots_.end());
    operands.push_back(plan_.gradient_norm);
    std::vector<ValueId> updated{operands[0]};
    updated.insert(updated.end(), slots_.begin(), slots_.end());
    emit(setup_->optimizer->update(setup_->optimizer_config, ops::ClipKind::none), operands,
         updated, "optimizer");
}

}  // namespace strata::graph
