#include "engine/graph/contexts.h"

namespace strata::graph {
namespace {

ops::ValueId make_value(ops::Program& program, const std::string& layer, const std::string& name,
                        const Shape& shape, DType dtype) {
    ops::Value value;
    value.name = layer + "/" + name;
    value.shape = shape;
    value.dtype = dtype;
    return program.add(std::move(value));
}

}  // namespace

ops::ValueId ForwardEmitter::make(const std::string& name, const Shape& shape, DType dtype) {
    return make_value(program_, place_.name, name, shape, dtype);
}

void ForwardEmitter::emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
                          std::vector<ops::ValueId> outputs) {
    program_.ops.push_back(
        {std::move(attributes), std::move(inputs), std::move(outputs), place_.name});
}

ops::ValueId BackwardEmitter::make(const std::string& name, const Shape& shape, DType dtype) {
    return make_value(program_, place_.name, name, shape, dtype);
}

void BackwardEmitter::emit(ops::Attributes attributes, std::vector<ops::ValueId> inputs,
                           std::vector<ops::ValueId> outputs) {
    program_.ops.push_back(
        {std::move(attributes), std::move(inputs), std::move(outputs), place_.name});
}

ops::ValueId BackwardEmitter::activate_backward(const ops::Activation& activation) {
    if (activation.kind == ops::ActivationKind::linear) return output_gradient_;
    if (logits_gradient_ != ops::no_value) return computable(logits_gradient_);
    const bool from_output =
        ops::derivative_from_output(activation.kind) || ops::is_row_wise(activation.kind);
    const ops::ValueId operand = kept(from_output ? "activation_y" : "activation_x");
    const ops::Value x = program_[operand];
    const ops::ValueId dx = make("activation_gradient", x.shape, x.dtype);
    emit(ops::ActivationBackward{activation}, {output_gradient_, operand}, {dx});
    return computable(dx);
}

ops::ValueId BackwardEmitter::computable(ops::ValueId gradient) {
    if (program_[gradient].dtype == place_.compute) return gradient;
    const Shape shape = program_[gradient].shape;
    const ops::ValueId cast = make("gradient_cast", shape, place_.compute);
    emit(ops::ScaleShift{}, {gradient}, {cast});
    return cast;
}

}  // namespace strata::graph
