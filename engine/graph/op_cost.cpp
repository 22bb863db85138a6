#include "engine/graph/op_cost.h"

#include <algorithm>
#include <cmath>

namespace strata::graph {
namespace {

using ops::Op;
using ops::Program;
using ops::ValueId;

constexpr double most_in_sparse = 0.5;  // nonzeros; a relu alone leaves as many

template <typename... T>
bool is(const Op& op) {
    return (std::holds_alternative<T>(op.attributes) || ...);
}

double elements(const Program& program, ValueId id) {
    return static_cast<double>(program[id].shape.elements());
}

double bytes_of(const Program& program, const Op& op) {
    double bytes = 0.0;
    for (ValueId id : op.inputs) bytes += static_cast<double>(program[id].bytes());
    for (ValueId id : op.outputs) bytes += static_cast<double>(program[id].bytes());
    return bytes;
}

// A (m,k) times B (k,n): A holds m k, C m n, B k n elements, whichever is transposed.
double product_flops(const Program& program, const Op& op) {
    const double a = elements(program, op.inputs[0]);
    const double b = elements(program, op.inputs[1]);
    const auto& product = std::get<ops::Matmul>(op.attributes);
    const Shape& shape = program[op.inputs[1]].shape;
    const auto last = static_cast<double>(shape[-1]);
    const double n = product.transpose_b ? b / last : last;
    return 2.0 * a * n;
}

// filtered: the side of the filters; each of its values is a sum over a kernel's window and the
// channels of a group.
double convolution_flops(const Program& program, ValueId filtered, const ops::Window2D& window,
                         double channels_of_group) {
    return 2.0 * elements(program, filtered) * window.kernel_h * window.kernel_w *
           channels_of_group;
}

// What a pooling passes back: one gradient a window, and behind a relu only where one of the window
// is positive, where half of all are.
double passed_by(const Program& program, const Op& op, const ops::Pool2DBackward& pool) {
    if (pool.kind != ops::PoolKind::max) return 1.0;
    const double windows = elements(program, op.inputs[0]) / elements(program, op.outputs[0]);
    const int places = pool.window.kernel_h * pool.window.kernel_w;
    return windows * (pool.relu_mask ? 1.0 - std::exp2(-places) : 1.0);
}

// The share of a gradient that is not 0, by the ops through which it came before ops[end], straight
// or as a view: poolings, dropouts, relus.
double nonzero_share(const Program& program, ValueId gradient, std::size_t end) {
    for (std::size_t i = end; i-- > 0;) {
        const Op& op = program.ops[i];
        const bool writes = std::any_of(op.outputs.begin(), op.outputs.end(), [&](ValueId id) {
            return id != ops::no_value && program.root(id) == program.root(gradient);
        });
        if (!writes) continue;
        double passed = 1.0;
        if (const auto* pool = std::get_if<ops::Pool2DBackward>(&op.attributes))
            passed = passed_by(program, op, *pool);
        else if (const auto* dropout = std::get_if<ops::Dropout>(&op.attributes))
            passed = 1.0 - dropout->rate;
        else if (const auto* curve = std::get_if<ops::ActivationBackward>(&op.attributes))
            passed = curve->activation.kind == ops::ActivationKind::relu ? 0.5 : 1.0;
        else
            return 1.0;
        return passed * nonzero_share(program, op.inputs[0], i);
    }
    return 1.0;
}

// Of an op of the program itself.
std::size_t place_of(const Program& program, const Op& op) {
    for (std::size_t i = 0; i < program.ops.size(); ++i)
        if (&program.ops[i] == &op) return i;
    return 0;
}

Work convolution_work(Work usual, std::int64_t image_channels) {
    return image_channels <= thin_channels ? Work::thin_convolution : usual;
}

OpCost convolution_cost(const Program& program, const Op& op) {
    OpCost cost;
    cost.kind.type = program[op.inputs[0]].dtype;
    if (const auto* forward = std::get_if<ops::Conv2D>(&op.attributes)) {
        const std::int64_t channels = program[op.inputs[0]].shape[-1];
        cost.kind.work = convolution_work(Work::convolution, channels);
        cost.flops = convolution_flops(program, op.outputs[0], forward->window,
                                       static_cast<double>(channels) / forward->groups);
    } else if (const auto* data = std::get_if<ops::Conv2DBackwardData>(&op.attributes)) {
        const std::int64_t channels = program[op.outputs[0]].shape[-1];
        cost.kind.work = convolution_work(Work::convolution_data, channels);
        cost.nonzero = nonzero_share(program, op.inputs[0], place_of(program, op));
        cost.flops = convolution_flops(program, op.inputs[0], data->window,
                                       static_cast<double>(channels) / data->groups);
    } else {
        const auto& weights = std::get<ops::Conv2DBackwardWeights>(op.attributes);
        const std::int64_t channels = program[op.inputs[0]].shape[-1];
        cost.kind.work = convolution_work(Work::convolution_weights, channels);
        cost.nonzero = nonzero_share(program, op.inputs[1], place_of(program, op));
        cost.flops = convolution_flops(program, op.inputs[1], weights.window,
                                       static_cast<double>(channels) / weights.groups);
    }
    if (cost.kind.work == Work::thin_convolution) cost.nonzero = 1.0;
    cost.kind.sparse = cost.nonzero < most_in_sparse;
    return cost;
}

bool is_cast(const Program& program, const Op& op) {
    const auto* scale = std::get_if<ops::ScaleShift>(&op.attributes);
    if (scale == nullptr) return false;
    const DType from = program[op.inputs[0]].dtype, to = program[op.outputs[0]].dtype;
    return from != to && from != DType::uint8;
}

bool is_curve(const Op& op) {
    ops::ActivationKind kind = ops::ActivationKind::linear;
    if (const auto* forward = std::get_if<ops::ActivationForward>(&op.attributes))
        kind = forward->activation.kind;
    if (const auto* backward = std::get_if<ops::ActivationBackward>(&op.attributes))
        if (!ops::derivative_from_output(backward->activation.kind))
            kind = backward->activation.kind;
    using K = ops::ActivationKind;
    for (K cheap : {K::linear, K::relu, K::relu6, K::leaky_relu, K::hard_sigmoid, K::hard_tanh,
                    K::hard_shrink, K::soft_shrink, K::hard_silu, K::softsign})
        if (kind == cheap) return false;
    return true;
}

Work work_of_bytes(const Program& program, const Op& op) {
    if (is<ops::Pool2D>(op)) return Work::pooling;
    if (is<ops::Pool2DBackward>(op)) return Work::pooling_backward;
    if (is<ops::BatchNormTraining>(op)) return Work::normalization;
    if (is<ops::BatchNormBackward>(op)) return Work::normalization_backward;
    if (is<ops::Dropout>(op)) return Work::dropout;
    if (is<ops::SoftmaxCrossEntropy, ops::SoftmaxCrossEntropySoft,
           ops::CrossEntropyFromProbabilities, ops::BinaryCrossEntropy>(op) ||
        is_curve(op))
        return Work::curve;
    return is_cast(program, op) ? Work::cast : Work::stream;
}

// The narrowest type among the operands: what a 16-bit op computes in.
DType type_of(const Program& program, const Op& op) {
    for (const auto* ids : {&op.inputs, &op.outputs})
        for (ValueId id : *ids) {
            const DType type = program[id].dtype;
            if (type == DType::bfloat16 || type == DType::float16) return type;
        }
    return DType::float32;
}

}  // namespace

bool counts_flops(Work work) {
    return work <= Work::thin_convolution;
}

OpCost cost_of(const Program& program, const Op& op) {
    OpCost cost;
    if (is<ops::Matmul>(op)) {
        cost.kind = {Work::product, program[op.inputs[0]].dtype};
        cost.flops = product_flops(program, op);
    } else if (is<ops::Conv2D, ops::Conv2DBackwardData, ops::Conv2DBackwardWeights>(op)) {
        cost = convolution_cost(program, op);
    } else {
        cost.kind = {work_of_bytes(program, op), type_of(program, op)};
    }
    cost.bytes = bytes_of(program, op);
    return cost;
}

}  // namespace strata::graph
