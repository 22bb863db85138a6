#include "engine/graph/plan.h"

#include "engine/graph/memory_plan.h"
#include "engine/graph/program_builder.h"
#include "engine/graph/rewrites.h"

namespace strata::graph {

Plan make_plan(const Model& model, const ModelReport& report, const StateLayout& state,
               const TrainingSetup* setup, Mode mode, std::int64_t batch, DType input_dtype) {
    if (mode == Mode::train || mode == Mode::evaluate)
        setup->loss->check(*report.layers[static_cast<std::size_t>(report.output)].output);
    Plan plan = ProgramBuilder(model, report, state, setup, mode, batch, input_dtype).build();
    std::vector<ops::ValueId> results;
    if (mode == Mode::predict) results.push_back(plan.output);
    for (const auto& [layer, output] : plan.probes) results.push_back(output);
    fuse_casts(plan.program, plan.fusions);
    drop_dead_ops(plan.program, results);
    fuse_activations(plan.program, plan.fusions);
    fuse_relu_into_pooling(plan.program, plan.fusions);
    share_in_place(plan.program, results);
    for (std::size_t i = 0; i < plan.program.ops.size() && mode == Mode::train; ++i)
        if (plan.program.ops[i].outputs[0] == plan.loss) plan.backward_begin = i + 1;
    MemoryPlan memory = plan_memory(plan.program, results);
    plan.offsets = std::move(memory.offsets);
    plan.budget = memory.budget;
    return plan;
}

}  // namespace strata::graph
