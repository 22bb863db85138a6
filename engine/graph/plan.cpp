#include "engine/graph/plan.h"

#include <algorithm>

#include "engine/graph/memory_plan.h"
#include "engine/graph/program_builder.h"
#include "engine/graph/rewrites.h"

namespace strata::graph {

std::vector<ops::ValueId> results_of(const Plan& plan) {
    std::vector<ops::ValueId> results;
    if (plan.mode == Mode::predict && plan.output != ops::no_value) results.push_back(plan.output);
    for (const auto& [layer, output] : plan.probes) results.push_back(output);
    for (const std::vector<Port>* ports : {&plan.sent, &plan.sent_gradients})
        for (const Port& port : *ports) results.push_back(port.value);
    return results;
}

Plan make_plan(const Model& model, const ModelReport& report, const StateLayout& state,
               const TrainingSetup* setup, Mode mode, std::int64_t batch, DType input_dtype,
               const StageCut* cut) {
    if (mode == Mode::train || mode == Mode::evaluate)
        setup->loss->check(*report.layers[static_cast<std::size_t>(report.output)].output);
    Plan plan = ProgramBuilder(model, report, state, setup, mode, batch, input_dtype, cut).build();
    const std::vector<ops::ValueId> results = results_of(plan);
    fuse_casts(plan.program, results, plan.fusions);
    drop_dead_ops(plan.program, results);
    fuse_activations(plan.program, results, plan.fusions);
    fuse_relu_into_pooling(plan.program, results, plan.fusions);
    share_in_place(plan.program, results);
    const std::vector<ops::Op>& ops = plan.program.ops;
    plan.backward_begin = static_cast<std::size_t>(
        std::find_if(ops.begin(), ops.end(), [](const ops::Op& op) { return op.backward; }) -
        ops.begin());
    MemoryPlan memory = plan_memory(plan.program, results);
    plan.offsets = std::move(memory.offsets);
    plan.budget = memory.budget;
    return plan;
}

}  // namespace strata::graph
