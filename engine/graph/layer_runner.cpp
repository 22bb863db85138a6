#include "engine/graph/layer_runner.h"

#include <cstddef>

#include "engine/core/error.h"
#include "engine/graph/bound_program.h"
#include "engine/graph/contexts.h"

namespace strata::graph {
namespace {

ops::ValueId add_value(ops::Program& program, const std::string& name, const Shape& shape) {
    ops::Value value;
    value.name = name;
    value.shape = shape;
    value.persistent = true;
    return program.add(std::move(value));
}

std::vector<float> read(const BoundProgram& bound, const ops::Program& program, ops::ValueId id) {
    std::vector<float> values(static_cast<std::size_t>(program[id].shape.elements()));
    bound.device().copy_out(values.data(), bound.address(id), values.size() * sizeof(float));
    return values;
}

}  // namespace

LayerRunner::LayerRunner(const layers::LayerDescription& type, layers::Config config,
                         std::vector<Shape> inputs)
    : type_(type),
      config_(std::move(config)),
      inputs_(std::move(inputs)),
      inference_(type.infer(config_, inputs_)) {}

LayerRun LayerRunner::run(std::int64_t batch, const std::vector<std::vector<float>>& inputs,
                          const std::map<std::string, std::vector<float>>& variables,
                          const std::vector<float>& dy, const ops::StepScalars& scalars,
                          const std::string& device_id) const {
    const bool training = !dy.empty();
    ops::Program program;
    LayerValues values;
    std::vector<std::pair<ops::ValueId, const std::vector<float>*>> given;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        values.inputs.push_back(
            add_value(program, "input_" + std::to_string(i), inputs_[i].with_batch(batch)));
        given.emplace_back(values.inputs.back(), &inputs.at(i));
    }
    for (const layers::VariableSpec& spec : inference_.variables) {
        values.variables[spec.role] = add_value(program, spec.role, spec.shape);
        given.emplace_back(values.variables[spec.role], &variables.at(spec.role));
        if (spec.trainable)
            values.gradients[spec.role] = add_value(program, spec.role + "_gradient", spec.shape);
    }
    const LayerPlace place{&type_, &config_, type_.spec.type, 1, batch, training};
    ForwardEmitter forward(program, place, values);
    type_.forward(forward);
    std::vector<ops::ValueId> results{values.output}, input_gradients;
    if (training) {
        const ops::ValueId gradient =
            add_value(program, "output_gradient", program[values.output].shape);
        given.emplace_back(gradient, &dy);
        BackwardEmitter backward(program, place, values, std::vector<bool>(inputs_.size(), true),
                                 gradient);
        type_.backward(backward);
        input_gradients = backward.input_gradients;
        results.insert(results.end(), input_gradients.begin(), input_gradients.end());
    }
    BoundProgram bound(program, results, device_id, {});
    for (const auto& [id, host] : given) {
        if (static_cast<std::int64_t>(host->size()) != program[id].shape.elements())
            throw Error(ErrorCode::invalid_argument, "expected " + program[id].shape.text(),
                        program[id].name);
        bound.device().copy_in(bound.address(id), host->data(), host->size() * sizeof(float));
    }
    bound.device().synchronize();
    bound.run(scalars);

    const auto fetch = [&](ops::ValueId id) { return read(bound, program, id); };
    LayerRun run;
    run.output_shape = program[values.output].shape;
    run.output = fetch(values.output);
    for (ops::ValueId id : input_gradients) run.input_gradients.push_back(fetch(id));
    if (training)
        for (const auto& [role, id] : values.gradients) run.variable_gradients[role] = fetch(id);
    for (const auto& [role, id] : values.variables) run.variables[role] = fetch(id);
    return run;
}

}  // namespace strata::graph
