#include "engine/graph/memory_plan.h"

#include <algorithm>

namespace strata::graph {
namespace {

using ops::Program;
using ops::ValueId;

struct Lifetime {
    int first = -1, last = -1;  // op indices; -1: never touched
};

std::vector<Lifetime> lifetimes(const Program& program, const std::vector<ValueId>& results) {
    std::vector<Lifetime> lives(program.values.size());
    const auto touch = [&](ValueId id, int at) {
        Lifetime& life = lives[static_cast<std::size_t>(program.root(id))];
        if (life.first < 0) life.first = at;
        life.last = std::max(life.last, at);
    };
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        for (ValueId id : program.ops[i].inputs) touch(id, static_cast<int>(i));
        for (ValueId id : program.ops[i].outputs) touch(id, static_cast<int>(i));
    }
    for (ValueId id : results) touch(id, static_cast<int>(program.ops.size()));
    return lives;
}

// The output that may take over the memory of inputs[0], or no_value.
ValueId in_place_output(const ops::Op& op) {
    const auto is = [&]<typename... T>() {
        return (std::holds_alternative<T>(op.attributes) || ...);
    };
    if (is.operator()<ops::ActivationForward, ops::ActivationBackward, ops::AddN, ops::Dropout>())
        return op.outputs[0];
    if (is.operator()<ops::SoftmaxCrossEntropy>() && op.outputs.size() > 1) return op.outputs[1];
    return ops::no_value;
}

// An op may read its other inputs after it began to write, so none of them may be the memory that
// it writes. Add([a, b, a]) and the sum of gradients that are one value have such inputs.
bool recurs(const Program& program, const ops::Op& op, ValueId root) {
    return std::any_of(op.inputs.begin() + 1, op.inputs.end(),
                       [&](ValueId id) { return program.root(id) == root; });
}

struct Block {
    std::size_t offset, size;
    Lifetime life;
};

std::size_t lowest_free(const std::vector<Block>& placed, std::size_t size, Lifetime life) {
    std::vector<const Block*> rivals;
    for (const Block& block : placed)
        if (block.life.first <= life.last && life.first <= block.life.last)
            rivals.push_back(&block);
    std::sort(rivals.begin(), rivals.end(),
              [](const Block* a, const Block* b) { return a->offset < b->offset; });
    std::size_t offset = 0;
    for (const Block* rival : rivals) {
        if (offset + size <= rival->offset) break;
        offset = std::max(offset, rival->offset + rival->size);
    }
    return offset;
}

}  // namespace

void share_in_place(Program& program, const std::vector<ValueId>& results) {
    std::vector<Lifetime> lives = lifetimes(program, results);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const ops::Op& op = program.ops[i];
        const ValueId output = in_place_output(op);
        if (output == ops::no_value || op.inputs[0] == output) continue;
        const ValueId input = program.root(op.inputs[0]);
        const bool fits = !program[input].persistent && !program[output].persistent &&
                          program[output].base == ops::no_value &&
                          program[input].bytes() == program[output].bytes() &&
                          program[op.inputs[0]].bytes() == program[input].bytes() &&
                          program[input].category == program[output].category &&
                          lives[static_cast<std::size_t>(input)].last == static_cast<int>(i) &&
                          !recurs(program, op, input);
        if (!fits) continue;
        program[output].base = input;
        lives[static_cast<std::size_t>(input)].last = lives[static_cast<std::size_t>(output)].last;
    }
}

MemoryPlan plan_memory(const Program& program, const std::vector<ValueId>& results) {
    MemoryPlan plan;
    plan.offsets.assign(program.values.size(), 0);
    const std::vector<Lifetime> lives = lifetimes(program, results);
    std::vector<std::size_t> transient;
    for (std::size_t i = 0; i < program.values.size(); ++i) {
        const ops::Value& value = program.values[i];
        if (value.base != ops::no_value) continue;
        if (value.persistent) {
            plan.offsets[i] = plan.budget[value.category];
            plan.budget[value.category] += device::aligned(value.bytes());
        } else if (lives[i].first >= 0) {
            transient.push_back(i);
        }
    }
    std::stable_sort(transient.begin(), transient.end(), [&](std::size_t a, std::size_t b) {
        return program.values[a].bytes() > program.values[b].bytes();
    });
    const device::MemoryBudget persistent = plan.budget;
    std::array<std::vector<Block>, device::category_count> placed;
    for (std::size_t i : transient) {
        const ops::Value& value = program.values[i];
        std::vector<Block>& blocks = placed[static_cast<std::size_t>(value.category)];
        const std::size_t size = device::aligned(value.bytes());
        const std::size_t offset = lowest_free(blocks, size, lives[i]);
        blocks.push_back({offset, size, lives[i]});
        plan.offsets[i] = persistent[value.category] + offset;
        plan.budget[value.category] = std::max(plan.budget[value.category], plan.offsets[i] + size);
    }
    for (std::size_t i = 0; i < program.values.size(); ++i) {
        std::size_t offset = 0;
        auto id = static_cast<ValueId>(i);
        for (; program[id].base != ops::no_value; id = program[id].base)
            offset += program[id].offset;
        if (id != static_cast<ValueId>(i))
            plan.offsets[i] = plan.offsets[static_cast<std::size_t>(id)] + offset;
    }
    return plan;
}

LivePeak live_peak(const Program& program, const std::vector<ValueId>& results,
                   device::Category category) {
    const std::vector<Lifetime> lives = lifetimes(program, results);
    const auto at = [&](int op) {
        LivePeak peak{static_cast<std::size_t>(op), 0, {}};
        for (std::size_t i = 0; i < lives.size(); ++i) {
            const ops::Value& value = program.values[i];
            if (value.persistent || value.base != ops::no_value || value.category != category ||
                lives[i].first < 0 || lives[i].first > op || lives[i].last < op)
                continue;
            peak.values.push_back(static_cast<ValueId>(i));
            peak.bytes += device::aligned(value.bytes());
        }
        return peak;
    };
    LivePeak most;
    for (std::size_t op = 0; op < program.ops.size(); ++op)
        if (LivePeak peak = at(static_cast<int>(op)); peak.bytes > most.bytes)
            most = std::move(peak);
    std::stable_sort(most.values.begin(), most.values.end(),
                     [&](ValueId a, ValueId b) { return program[a].bytes() > program[b].bytes(); });
    return most;
}

}  // namespace strata::graph
