#include "engine/graph/planned_run.h"

#include <algorithm>
#include <set>

#include "engine/graph/runtime.h"

namespace strata::graph {

using device::Category;

PlannedRun::PlannedRun(Model m, const TrainingSetup* s, const ExecutorOptions& o)
    : model(std::move(m)), options(o) {
    if (s != nullptr) setup = *s;
    report = require_valid(model);
    device = runtime().open(options.device, options.device_options);
    queued = dynamic_cast<ops::QueuedDevice*>(device.get());
    backend = &runtime().backend(*device);
    state = lay_out_state(model, report, s != nullptr && options.training ? &*setup : nullptr);
    std::set<std::int64_t> batches(options.other_batches.begin(), options.other_batches.end());
    batches.erase(0);
    batches.insert(options.batch);
    for (std::int64_t batch : batches)
        for (Mode mode : {Mode::train, Mode::evaluate, Mode::predict})
            if (planned_ahead(mode)) compile(mode, batch);
    if (setup) compile(Mode::refresh, no_batch);
    if (!setup || !options.training) return;
    compile(Mode::update, no_batch);
    compile(Mode::probe, std::min(options.batch, probe_batch));
}

// Prediction is planned on first use in a training run, ahead otherwise.
bool PlannedRun::planned_ahead(Mode mode) const {
    if (mode == Mode::predict) return !setup;
    return setup && (mode == Mode::evaluate || options.training);
}

Pass& PlannedRun::compile(Mode mode, std::int64_t batch) {
    auto pass = std::make_unique<Pass>();
    pass->plan = make_plan(model, report, state, setup ? &*setup : nullptr, mode, batch,
                           options.input_dtype);
    pass->code = std::make_unique<CompiledProgram>(*backend, *device, pass->plan.program);
    return *(passes[{mode, batch}] = std::move(pass));
}

device::MemoryBudget PlannedRun::plans_budget() const {
    device::MemoryBudget most;
    for (const auto& [key, pass] : passes)
        for (std::size_t i = 0; i < device::category_count; ++i)
            most.bytes[i] = std::max(most.bytes[i], pass->plan.budget.bytes[i]);
    return most;
}

std::size_t PlannedRun::kept_offset() const {
    return device::aligned(plans_budget()[Category::workspace]);
}

std::size_t PlannedRun::kept_bytes() const {
    return setup && options.training ? state.weight_bytes - state.trainable_bytes : 0;
}

std::size_t PlannedRun::scratch_offset() const {
    return kept_offset() + device::aligned(kept_bytes());
}

std::size_t PlannedRun::feed_offset() const {
    return device::aligned(plans_budget()[Category::input]);
}

std::size_t PlannedRun::feed_bytes() const {
    std::size_t most = 0;
    if (queued == nullptr) return most;
    for (const auto& [key, pass] : passes) {
        if (key.first != Mode::train && key.first != Mode::evaluate) continue;
        std::size_t bytes = 0;
        for (const ops::ValueId id : {pass->plan.input, pass->plan.targets})
            if (id != ops::no_value) bytes += device::aligned(pass->plan.program[id].bytes());
        most = std::max(most, bytes);
    }
    return most;
}

device::MemoryBudget PlannedRun::budget() const {
    device::MemoryBudget most = plans_budget();
    std::size_t scratch = 0;
    for (const auto& [key, pass] : passes) scratch = std::max(scratch, pass->code->scratch_bytes());
    most[Category::workspace] = scratch_offset() + scratch;
    if (const std::size_t bytes = feed_bytes(); bytes > 0)
        most[Category::input] = feed_offset() + bytes;
    return most;
}

device::MemoryBudget predict_memory(const Model& model, const TrainingSetup* setup,
                                    const ExecutorOptions& options) {
    return PlannedRun(model, setup, options).budget();
}

device::MemoryBudget memory_alone(const Model& model, const TrainingSetup& setup,
                                  const ExecutorOptions& options) {
    return predict_memory(model, &setup, options);
}

}  // namespace strata::graph
