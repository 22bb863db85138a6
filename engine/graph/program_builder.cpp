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

Shape floats(std::size_t bytes) {
    return Shape{static_cast<std::int64_t>(bytes / sizeof(float))};
}

// Whose output is 0 for a whole half of its inputs: units of these can die.
bool rectifies(ops::ActivationKind kind) {
    return kind == ops::ActivationKind::relu || kind == ops::ActivationKind::relu6;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const Model& model, const ModelReport& report,
                               const StateLayout& state, const TrainingSetup* setup, Mode mode,
                               std::int64_t batch, DType input_dtype, const StageCut* cut)
    : model_(model),
      report_(report),
      state_(state),
      setup_(setup),
      input_dtype_(input_dtype),
      cut_(cut),
      values_(model.layers.size()),
      gradients_(model.layers.size()),
      needs_gradient_(model.layers.size(), false),
      forward_ops_(model.layers.size()) {
    plan_.mode = mode;
    plan_.batch = batch;
    find_needed_gradients();
}

// Of all layers, also of those of other stages.
void ProgramBuilder::find_needed_gradients() {
    for (int i : report_.order) {
        const auto layer = static_cast<std::size_t>(i);
        const auto& variables = report_.layers[owner_of(layer)].variables;
        const auto& inputs = model_.layers[layer].inputs;
        needs_gradient_[layer] =
            std::any_of(variables.begin(), variables.end(),
                        [](const layers::VariableSpec& spec) { return spec.trainable; }) ||
            std::any_of(inputs.begin(), inputs.end(), [this](const std::string& input) {
                return needs_gradient_[static_cast<std::size_t>(model_.index_of(input))];
            });
    }
}

Plan ProgramBuilder::build() {
    add_state();
    switch (plan_.mode) {
        case Mode::update:
            update();
            break;
        case Mode::refresh:
            refresh();
            break;
        case Mode::train:
            forward();
            loss_and_metrics();
            backward();
            break;
        case Mode::evaluate:
            forward();
            loss_and_metrics();
            break;
        case Mode::predict:
            forward();
            break;
        case Mode::probe:
            forward();
            find_probes();
            break;
    }
    return std::move(plan_);
}

ValueId ProgramBuilder::add_persistent(const std::string& name, const Shape& shape, DType dtype,
                                       Category category) {
    const ValueId id = add_transient(name, shape, dtype, category);
    plan_.program[id].persistent = true;
    return id;
}

ValueId ProgramBuilder::add_transient(const std::string& name, const Shape& shape, DType dtype,
                                      Category category) {
    ops::Value value;
    value.name = name;
    value.shape = shape;
    value.dtype = dtype;
    value.category = category;
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

DType ProgramBuilder::compute_of(std::size_t layer) const {
    const LayerNode& node = model_.layers[layer];
    if (node.type->spec.float32_only || setup_ == nullptr) return DType::float32;
    return compute_type(node.precision.empty() ? setup_->precision : node.precision, node.name);
}

LayerPlace ProgramBuilder::place_of(std::size_t layer) const {
    const LayerNode& node = model_.layers[layer];
    return {node.type,        &node.config,
            node.name,        first_layer_stream + static_cast<std::uint32_t>(layer),
            plan_.batch,      plan_.mode == Mode::train,
            compute_of(layer)};
}

// The flat arrays, the same in every plan, so that all plans share one arena.
void ProgramBuilder::add_state() {
    weights_ =
        add_persistent("weights", floats(state_.weight_bytes), DType::float32, Category::weights);
    add_copies();
    const Shape trainable = floats(state_.trainable_bytes);
    if (plan_.mode == Mode::train || plan_.mode == Mode::update)
        weight_gradients_ =
            add_persistent("gradients", trainable, DType::float32, Category::gradients);
    if (plan_.mode == Mode::update)
        for (const std::string& slot : state_.slots)
            slots_.push_back(add_persistent(slot, floats(state_.slot_bytes()), DType::float32,
                                            Category::optimizer));
    const std::size_t metrics = setup_ == nullptr ? 0 : setup_->metrics.size();
    plan_.window = sums_window() ? metrics + 2 : 0;
    const std::size_t results = metrics + 2 + (sums_window() ? metrics + 1 : 0);
    plan_.results = add_persistent("results", Shape{static_cast<std::int64_t>(results)},
                                   DType::float64, Category::workspace);
    if (plan_.mode == Mode::train || plan_.mode == Mode::update) add_window_statistics();
}

void ProgramBuilder::add_window_statistics() {
    if (!setup_->deferred_statistics) return;
    for (std::size_t i = 0; i < state_.variables.size(); ++i) {
        const VariablePlace& place = state_.variables[i];
        if (place.spec.momentum)
            window_statistics_[i] =
                add_persistent(place.layer + "/" + place.role + "_window", place.spec.shape,
                               DType::float64, Category::workspace);
    }
}

// Matrices of layers that compute in 16 bits are read from a copy, made anew after each update.
void ProgramBuilder::add_copies() {
    for (const VariablePlace& place : state_.variables) {
        const auto layer = static_cast<std::size_t>(model_.index_of(place.layer));
        const DType compute = compute_of(layer);
        const bool copied =
            compute != DType::float32 && place.spec.trainable && place.spec.shape.rank() > 1;
        copies_.push_back(copied ? add_persistent(place.layer + "/" + place.role + "_copy",
                                                  place.spec.shape, compute, Category::weights)
                                 : no_value);
    }
}

// place: in the results; the loss, the metrics, the gradient's norm.
ValueId ProgramBuilder::result(const std::string& name, std::size_t place) {
    return view_at(plan_.results, result_bytes * place, Shape{}, name);
}

// A micro-batch's loss and metrics, or the window's.
ValueId ProgramBuilder::sums_at(std::size_t place, const std::string& name) {
    return view_at(plan_.results, result_bytes * place,
                   Shape{static_cast<std::int64_t>(1 + setup_->metrics.size())}, name);
}

bool ProgramBuilder::sums_window() const {
    return setup_ != nullptr && setup_->accumulates;
}

void ProgramBuilder::add_variables(std::size_t layer) {
    const std::string& owner = model_.layers[owner_of(layer)].name;
    for (std::size_t i = 0; i < state_.variables.size(); ++i) {
        const VariablePlace& place = state_.variables[i];
        if (place.layer != owner) continue;
        const std::string path = model_.layers[layer].name + "/" + place.role;
        values_[layer].variables[place.role] =
            copies_[i] != no_value ? copies_[i]
                                   : view_at(weights_, place.offset, place.spec.shape, path);
        if (const auto window = window_statistics_.find(i); window != window_statistics_.end())
            values_[layer].window_statistics[place.role] = window->second;
        if (!place.spec.trainable || plan_.mode != Mode::train) continue;
        values_[layer].gradients[place.role] =
            writes_gradient(layer, place)
                ? view_at(weight_gradients_, place.offset, place.spec.shape, path + "_gradient")
                : add_transient(path + "_gradient", place.spec.shape, DType::float32,
                                Category::gradients);
    }
}

std::size_t ProgramBuilder::owner_of(std::size_t layer) const {
    const int owner = report_.layers[layer].owner;
    return owner < 0 ? layer : static_cast<std::size_t>(owner);
}

void ProgramBuilder::forward() {
    receive_outputs();
    for (int i : report_.order) {
        const auto layer = static_cast<std::size_t>(i);
        if (!own(layer)) continue;
        add_variables(layer);
        if (i == report_.input) {
            add_input(layer);
        } else {
            forward_layer(layer);
        }
    }
    const auto last = static_cast<std::size_t>(report_.output);
    if (own(last))
        plan_.output = cast(values_[last].output, DType::float32, model_.layers[last].name);
    send_outputs();
}

void ProgramBuilder::add_input(std::size_t layer) {
    const Shape shape = report_.layers[layer].output->with_batch(plan_.batch);
    const std::string& name = model_.layers[layer].name;
    plan_.input = add_persistent(name, shape, input_dtype_, Category::input);
    values_[layer].output = cast(plan_.input, DType::float32, name);
}

ValueId ProgramBuilder::cast(ValueId value, DType dtype, const std::string& layer) {
    if (plan_.program[value].dtype == dtype) return value;
    ValueId& made = casts_.try_emplace({value, dtype}, no_value).first->second;
    if (made != no_value) return made;
    const Shape shape = plan_.program[value].shape;
    made = add_transient(plan_.program[value].name + "/" + name_of(dtype), shape, dtype);
    emit(ops::ScaleShift{}, {value}, {made}, layer);
    return made;
}

void ProgramBuilder::forward_layer(std::size_t layer) {
    LayerValues& values = values_[layer];
    const LayerPlace place = place_of(layer);
    const std::size_t begin = plan_.program.ops.size();
    for (const std::string& input : model_.layers[layer].inputs) {
        const auto source = static_cast<std::size_t>(model_.index_of(input));
        values.inputs.push_back(cast(values_[source].output, place.compute, place.name));
    }
    ForwardEmitter emitter(plan_.program, place, values);
    model_.layers[layer].type->forward(emitter);
    forward_ops_[layer] = {begin, plan_.program.ops.size()};
    for (std::size_t i = begin; i < plan_.program.ops.size(); ++i)
        for (ValueId id : plan_.program.ops[i].outputs)
            made_by_.emplace(plan_.program.root(id), layer);
}

void ProgramBuilder::loss_and_metrics() {
    if (!own(static_cast<std::size_t>(report_.output))) return;
    const ValueId output = plan_.output;
    const Shape output_shape = plan_.program[output].shape;
    const losses::LossDescription& loss = *setup_->loss;
    ops::Attributes attributes = loss.from_output;
    ValueId source = output;
    top_ = report_.output;
    for (const ops::Op& op : plan_.program.ops) {
        const auto* activation = std::get_if<ops::ActivationForward>(&op.attributes);
        if (activation == nullptr || loss.fuses == ops::ActivationKind::linear ||
            activation->activation.kind != loss.fuses)
            continue;
        // The loss reads float32: what the activation gave, or the cast of it.
        const auto exact = casts_.find({op.outputs[0], DType::float32});
        if (op.outputs[0] != output && (exact == casts_.end() || exact->second != output)) continue;
        logits_ = op.inputs[0];
        // Not always the output layer: one that passes its input on has no op of its own.
        top_ = model_.index_of(op.layer);
        attributes = loss.from_logits;
        plan_.fusions.push_back(op.layer + ": " + ops::name_of(loss.fuses) + " inside the loss");
        break;
    }
    if (logits_ != no_value) source = cast(logits_, DType::float32, "loss");
    const bool by_index = loss.target == losses::TargetKind::class_index;
    plan_.targets = add_persistent("targets", by_index ? Shape{plan_.batch} : output_shape,
                                   by_index ? DType::int32 : DType::float32, Category::input);
    plan_.loss = result("loss", 0);
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
        plan_.metrics.push_back(result(metric->name, 1 + plan_.metrics.size()));
        emit(metric->op(loss.name, sample, logits_ != no_value), operands, {plan_.metrics.back()},
             metric->name);
    }
    std::vector<ValueId> outputs{plan_.loss};
    if (plan_.mode == Mode::train) {
        const Shape shape = plan_.program[source].shape;
        loss_gradient_ = add_transient("loss/gradient", shape, DType::float32);
        outputs.push_back(as_rows(loss_gradient_));
    }
    emit(std::move(attributes), operands, std::move(outputs), "loss");
    if (plan_.mode == Mode::train && sums_window()) add_to_window();
}

void ProgramBuilder::add_to_window() {
    const ValueId window = sums_at(plan_.window, "window_results");
    emit(ops::AccumulateGradient{}, {window, sums_at(0, "batch_results")}, {window}, "loss");
}

void ProgramBuilder::find_probes() {
    for (const ops::Op& op : plan_.program.ops) {
        const auto* activation = std::get_if<ops::ActivationForward>(&op.attributes);
        if (activation != nullptr && rectifies(activation->activation.kind))
            plan_.probes.emplace_back(op.layer, op.outputs[0]);
    }
}

}  // namespace strata::graph
