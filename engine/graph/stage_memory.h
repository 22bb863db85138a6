// Memory of a stage that holds the activations of several micro-batches at a time. Beside
// memory_plan, which is enough where it holds one.
#pragma once

#include <vector>

#include "engine/graph/memory_plan.h"
#include "engine/graph/plan.h"

namespace strata::graph {

// Values live in the shared part, one place for all micro-batches, or in slots, of which there is
// one for each micro-batch in flight. Slots of group 0 hold what the forward pass leaves for the
// backward pass and what comes from the host; those of group 1 + i hold plan.received[i], which its
// sender may write earlier.
struct StageMemory {
    static constexpr int shared = -1;

    // Of each value: in its category's shared part, or in a slot of its group.
    std::vector<std::size_t> offsets;
    std::vector<int> groups;
    device::MemoryBudget shared_budget;
    std::vector<device::MemoryBudget> slots;  // of each group: the bytes of one slot
};

// runs_through: on its device nothing runs between the stage's forward and backward pass of a
// micro-batch. What the first leaves then lies in the shared part, whose bytes the second can use
// again.
StageMemory plan_stage_memory(const Plan& plan, bool runs_through);

}  // namespace strata::graph
