#include "engine/graph/step_time.h"

#include <algorithm>

#include "engine/graph/device_rates.h"
#include "engine/graph/plan.h"

namespace strata::graph {
namespace {

template <typename... T>
bool is(const ops::Op& op) {
    return (std::holds_alternative<T>(op.attributes) || ...);
}

// Which part of a step an op belongs to. i: its place in the plan.
double& part_of(StepTimeParts& parts, const Plan& plan, const ops::Op& op, Work work,
                std::size_t i) {
    if (work == Work::cast) return parts.casts;
    if (is<ops::ClipByVariableNorm>(op)) return parts.clip;
    if (plan.mode == Mode::update) return parts.update;
    if (op.again) return parts.recomputation;
    if (is<ops::AccumulateGradient>(op)) return parts.accumulation;
    return i < plan.backward_begin ? parts.forward : parts.backward;
}

// samples: that share a run of the plan.
void add_plan(StepTimeParts& parts, const Plan& plan, DeviceRates& rates, double samples) {
    for (std::size_t i = 0; i < plan.program.ops.size(); ++i) {
        const ops::Op& op = plan.program.ops[i];
        const OpCost cost = cost_of(plan.program, op);
        part_of(parts, plan, op, cost.kind.work, i) += rates.seconds(cost) / samples;
    }
    for (ops::ValueId id : {plan.input, plan.targets}) {
        if (id == ops::no_value) continue;
        OpCost copy;
        copy.bytes = 2.0 * static_cast<double>(plan.program[id].bytes());
        parts.forward += rates.seconds(copy) / samples;
    }
}

StepTimeParts parts_of(const Model& model, const ModelReport& report, const TrainingSetup& setup,
                       const ExecutorOptions& options, std::int64_t micro_batches) {
    DeviceRates& rates = rates_of(options.device, options.device_options);
    const StateLayout state = lay_out_state(model, report, &setup);
    const auto plan = [&](Mode mode, std::int64_t batch) {
        return make_plan(model, report, state, &setup, mode, batch, options.input_dtype);
    };
    const auto batch = static_cast<double>(options.batch);
    StepTimeParts parts;
    add_plan(parts, plan(Mode::train, options.batch), rates, batch);
    add_plan(parts, plan(Mode::update, no_batch), rates,
             batch * static_cast<double>(micro_batches));
    return parts;
}

}  // namespace

StepTime predict_step_time(const Model& model, const TrainingSetup& setup,
                           const ExecutorOptions& options, std::int64_t micro_batches) {
    const ModelReport report = require_valid(model);
    Model plain = model;
    for (LayerNode& node : plain.layers) {
        node.recompute = false;
        node.precision.clear();
    }
    TrainingSetup plain_setup;
    plain_setup.loss = setup.loss;
    plain_setup.metrics = setup.metrics;
    plain_setup.optimizer = setup.optimizer;
    plain_setup.optimizer_config = setup.optimizer_config;
    StepTime time;
    time.with = parts_of(model, report, setup, options, std::max<std::int64_t>(micro_batches, 1));
    time.without = parts_of(plain, report, plain_setup, options, 1);
    time.relative_step_time = time.with.total() / time.without.total();
    return time;
}

}  // namespace strata::graph
