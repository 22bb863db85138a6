#include "engine/graph/stage_memory.h"

namespace strata::graph {
namespace {

using ops::Program;
using ops::ValueId;

std::size_t at(ValueId id) {
    return static_cast<std::size_t>(id);
}

// The program with all but the shared values taken for persistent ones of no bytes, so that
// plan_memory lays out the rest.
class Sorter {
public:
    Sorter(const Plan& plan, bool runs_through) : plan_(plan), program_(plan.program) {
        memory_.groups.assign(program_.values.size(), StageMemory::shared);
        memory_.offsets.assign(program_.values.size(), 0);
        memory_.slots.resize(1 + plan.received.size());
        for (std::size_t i = 0; i < plan.received.size(); ++i)
            put(program_.root(plan.received[i].value), 1 + static_cast<int>(i));
        for (const Port& port : plan.received_gradients) put(program_.root(port.value), 0);
        for (ValueId id : {plan.input, plan.targets})
            if (id != ops::no_value) put(program_.root(id), 0);
        if (!runs_through) put_kept();
        lay_out_shared();
        add_views();
    }

    StageMemory take() { return std::move(memory_); }

private:
    void put(ValueId root, int group) {
        if (memory_.groups[at(root)] != StageMemory::shared) return;
        const ops::Value& value = program_[root];
        std::size_t& end = memory_.slots[static_cast<std::size_t>(group)][value.category];
        memory_.groups[at(root)] = group;
        memory_.offsets[at(root)] = end;
        end += device::aligned(value.bytes());
    }

    // What the forward pass has written and the backward pass reads.
    void put_kept() {
        std::vector<bool> written(program_.values.size(), false);
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            const ops::Op& op = program_.ops[i];
            if (i < plan_.backward_begin)
                for (ValueId id : op.outputs) written[at(program_.root(id))] = true;
            else
                for (ValueId id : op.inputs) {
                    const ValueId root = program_.root(id);
                    if (written[at(root)] && !program_[root].persistent) put(root, 0);
                }
        }
    }

    void lay_out_shared() {
        Program rest = program_;
        for (std::size_t i = 0; i < rest.values.size(); ++i) {
            if (memory_.groups[i] == StageMemory::shared) continue;
            rest.values[i].persistent = true;
            rest.values[i].shape = Shape{0};
        }
        MemoryPlan plan = plan_memory(rest, results_of(plan_));
        memory_.shared_budget = plan.budget;
        for (std::size_t i = 0; i < rest.values.size(); ++i)
            if (memory_.groups[at(program_.root(static_cast<ValueId>(i)))] == StageMemory::shared)
                memory_.offsets[i] = plan.offsets[i];
    }

    void add_views() {
        for (std::size_t i = 0; i < program_.values.size(); ++i) {
            const ValueId root = program_.root(static_cast<ValueId>(i));
            const int group = memory_.groups[at(root)];
            memory_.groups[i] = group;
            if (group == StageMemory::shared || static_cast<ValueId>(i) == root) continue;
            memory_.offsets[i] = memory_.offsets[at(root)];
            for (auto id = static_cast<ValueId>(i); program_[id].base != ops::no_value;
                 id = program_[id].base)
                memory_.offsets[i] += program_[id].offset;
        }
    }

    const Plan& plan_;
    const Program& program_;
    StageMemory memory_;
};

}  // namespace

StageMemory plan_stage_memory(const Plan& plan, bool runs_through) {
    return Sorter(plan, runs_through).take();
}

}  // namespace strata::graph
