// Gives each value of a program a fixed place in the arena; values that do not live at once share
// bytes.
#pragma once

#include <vector>

#include "engine/device/arena.h"
#include "engine/ops/op.h"

namespace strata::graph {

struct MemoryPlan {
    std::vector<std::size_t> offsets;  // of each value in its category's part
    device::MemoryBudget budget;
};

// Lets ops that may work in place do so: their output becomes a view of an input that dies there.
// results: values that are read after the program.
void share_in_place(ops::Program& program, const std::vector<ops::ValueId>& results);

// Persistent values lie one after another in the order in which they were made; the others of a
// category are packed by lifetime, largest first, each at the lowest free offset.
MemoryPlan plan_memory(const ops::Program& program, const std::vector<ops::ValueId>& results);

// The op at which the transient values of a category that live take most, and those values.
struct LivePeak {
    std::size_t op = 0;
    std::size_t bytes = 0;
    std::vector<ops::ValueId> values;  // roots, largest first
};
LivePeak live_peak(const ops::Program& program, const std::vector<ops::ValueId>& results,
                   device::Category category);

}  // namespace strata::graph
