#include "engine/graph/rewrites.h"

#include <algorithm>

namespace strata::graph {
namespace {

using ops::Op;
using ops::Program;
using ops::ValueId;

// Ops that read any view of the value's memory; a result has one more reader.
int count_readers(const Program& program, const std::vector<ValueId>& results, ValueId value) {
    const ValueId root = program.root(value);
    int readers = 0;
    for (ValueId result : results) readers += program.root(result) == root ? 1 : 0;
    for (const Op& op : program.ops)
        for (ValueId input : op.inputs) readers += program.root(input) == root ? 1 : 0;
    return readers;
}

Op* producer(Program& program, ValueId value) {
    for (Op& op : program.ops)
        if (std::find(op.outputs.begin(), op.outputs.end(), value) != op.outputs.end()) return &op;
    return nullptr;
}

void erase_marked(Program& program, const std::vector<const Op*>& dead) {
    std::vector<Op> kept;
    for (Op& op : program.ops)
        if (std::find(dead.begin(), dead.end(), &op) == dead.end()) kept.push_back(std::move(op));
    program.ops = std::move(kept);
}

ops::Activation* fusable_activation(Op& op) {
    if (auto* product = std::get_if<ops::Matmul>(&op.attributes)) return &product->activation;
    if (auto* convolution = std::get_if<ops::Conv2D>(&op.attributes))
        return &convolution->activation;
    return nullptr;
}

}  // namespace

void fuse_casts(Program& program, const std::vector<ValueId>& results,
                std::vector<std::string>& notes) {
    std::vector<const Op*> dead;
    for (Op& op : program.ops) {
        const auto* cast = std::get_if<ops::ScaleShift>(&op.attributes);
        if (cast == nullptr || cast->scale != 1.0F || cast->offset != 0.0F) continue;
        if (program[op.inputs[0]].dtype != DType::uint8 ||
            count_readers(program, results, op.outputs[0]) != 1)
            continue;
        for (Op& reader : program.ops) {
            if (!std::holds_alternative<ops::ScaleShift>(reader.attributes) ||
                reader.inputs[0] != op.outputs[0])
                continue;
            reader.inputs[0] = op.inputs[0];
            dead.push_back(&op);
            notes.push_back(reader.layer + ": reads the 8-bit input, without a cast before it");
        }
    }
    erase_marked(program, dead);
}

void fuse_activations(Program& program, const std::vector<ValueId>& results,
                      std::vector<std::string>& notes) {
    std::vector<const Op*> dead;
    for (Op& op : program.ops) {
        const auto* forward = std::get_if<ops::ActivationForward>(&op.attributes);
        if (forward == nullptr || ops::is_row_wise(forward->activation.kind) ||
            !ops::derivative_from_output(forward->activation.kind) ||
            count_readers(program, results, op.inputs[0]) != 1)
            continue;
        Op* before = producer(program, op.inputs[0]);
        ops::Activation* fused = before == nullptr ? nullptr : fusable_activation(*before);
        if (fused == nullptr || fused->kind != ops::ActivationKind::linear) continue;
        *fused = forward->activation;
        before->outputs[0] = op.outputs[0];
        dead.push_back(&op);
        notes.push_back(before->layer + ": " + ops::name_of(fused->kind) + " inside " +
                        (std::holds_alternative<ops::Matmul>(before->attributes)
                             ? "the matrix product"
                             : "the convolution"));
    }
    erase_marked(program, dead);
}

void fuse_relu_into_pooling(Program& program, const std::vector<ValueId>& results,
                            std::vector<std::string>& notes) {
    std::vector<const Op*> dead;
    for (Op& op : program.ops) {
        const auto* backward = std::get_if<ops::ActivationBackward>(&op.attributes);
        if (backward == nullptr || backward->activation.kind != ops::ActivationKind::relu) continue;
        Op* pool = producer(program, op.inputs[0]);
        auto* attributes =
            pool == nullptr ? nullptr : std::get_if<ops::Pool2DBackward>(&pool->attributes);
        if (attributes == nullptr || attributes->kind != ops::PoolKind::max ||
            attributes->relu_mask || count_readers(program, results, op.inputs[0]) != 1)
            continue;
        const Op* forward = producer(program, pool->inputs[1]);
        if (forward == nullptr || program.root(forward->inputs[0]) != program.root(op.inputs[1]))
            continue;
        attributes->relu_mask = true;
        pool->inputs.push_back(forward->outputs[0]);
        pool->outputs[0] = op.outputs[0];
        dead.push_back(&op);
        notes.push_back(op.layer + ": gradient of relu inside that of " + pool->layer);
    }
    erase_marked(program, dead);
}

void drop_dead_ops(Program& program, const std::vector<ValueId>& results) {
    std::vector<bool> read(program.values.size(), false);
    for (ValueId result : results) read[static_cast<std::size_t>(program.root(result))] = true;
    std::vector<Op> kept;
    for (auto op = program.ops.rbegin(); op != program.ops.rend(); ++op) {
        const bool needed =
            op->outputs.empty() ||
            std::any_of(op->outputs.begin(), op->outputs.end(), [&](ValueId id) {
                const ValueId root = program.root(id);
                return program[root].persistent || read[static_cast<std::size_t>(root)];
            });
        if (!needed) continue;
        for (ValueId id : op->inputs) read[static_cast<std::size_t>(program.root(id))] = true;
        kept.push_back(std::move(*op));
    }
    std::reverse(kept.begin(), kept.end());
    program.ops = std::move(kept);
}

}  // namespace strata::graph
