#include "engine/graph/plan.h"

#include <algorithm>

#include "engine/graph/memory_plan.h"
#include "engine/graph/program_builder.h"
#include "engine/graph/rewrites.h"

namespace strata::graph {

Plan make_plan(const Model& model, const ModelReport& report, const StateLayout& state,
               const TrainingSetup* setup, Mode mode, std::int64_t batch, DType input_dtype) {
    if (mode != Mode::predict)
        setup->loss->check(*report.layers[static_cast<std::size_t>(report.output)].output);
    Plan plan = ProgramBuilder(model, report, state, setup, mode, batch, input_dtype).build();
    std::vector<ops::ValueId> results;
    if (mode == Mode::predict) results.push_back(plan.output);
    fuse_casts(plan.program, plan.fusions);
    drop_dead_ops(plan.program, results);
    fuse_activations(plan.program, plan.fusions);
    fuse_relu_into_pooling(plan.program, plan.fusions);
    share_in_place(plan.program, results);
    const auto update = std::find_if(plan.program.ops.begin(), plan.program.ops.end(),
                                     [](const ops::Op& op) { return op.layer == "optimizer"; });
    plan.update_begin = static_cast<std::size_t>(update - plan.program.ops.begin());
    MemoryPlan memory = plan_memory(plan.program, results);
    plan.offsets = std::move(memory.offsets);
    plan.budget = memory.budget;
    return plan;
}

device::MemoryBudget predict_memory(const Model& model, const TrainingSetup& setup,
                                    std::int64_t batch, DType input_dtype) {
    const ModelReport report = require_valid(model);
    const StateLayout state = lay_out_state(model, report, &setup);
    device::MemoryBudget most;
    for (Mode mode : {Mode::train, Mode::evaluate}) {
        const Plan plan = make_plan(model, report, state, &setup, mode, batch, input_dtype);
        for (std::size_t i = 0; i < device::category_count; ++i)
            most.bytes[i] = std::max(most.bytes[i], plan.budget.bytes[i]);
    }
    return most;
}

}  // namespace strata::graph
