#include "engine/graph/bound_program.h"

#include "engine/graph/runtime.h"

namespace strata::graph {

BoundProgram::BoundProgram(const ops::Program& program, const std::vector<ops::ValueId>& results,
                           const std::string& device_id, const device::DeviceOptions& options)
    : device_(runtime().open(device_id, options)) {
    const MemoryPlan plan = plan_memory(program, results);
    code_ = std::make_unique<CompiledProgram>(runtime().backend(*device_), *device_, program);
    device::MemoryBudget budget = plan.budget;
    budget[device::Category::workspace] = code_->scratch_bytes();
    arena_ = std::make_unique<device::Arena>(*device_, budget);
    for (std::size_t offset : plan.offsets)
        addresses_.push_back(arena_->at(device::Category::activations, offset));
    code_->bind(program, addresses_, arena_->base(device::Category::workspace));
}

}  // namespace strata::graph
