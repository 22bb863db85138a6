#include "engine/graph/memory_advice.h"

#include <algorithm>
#include <map>

#include "engine/graph/batch_statistics.h"
#include "engine/graph/memory_plan.h"
#include "engine/graph/planned_run.h"
#include "engine/graph/recomputation.h"
#include "engine/io/file.h"

namespace strata::graph {
namespace {

using device::Category;

constexpr std::size_t most_alternatives = 3;

std::string layer_of(const std::string& value) {
    return value.substr(0, value.find('/'));
}

const Pass& training_pass(const PlannedRun& run) {
    return *run.passes.at({Mode::train, run.options.batch});
}

void take_largest(const std::map<std::string, std::size_t>& bytes, MemoryPeak& peak) {
    for (const auto& [layer, own] : bytes)
        if (own > peak.layer_bytes) {
            peak.layer = layer;
            peak.layer_bytes = own;
        }
}

// The layer with most of what lives when the activations peak, and which one is then at work.
void find_activations(const PlannedRun& run, MemoryPeak& peak) {
    const Plan& plan = training_pass(run).plan;
    const LivePeak live = live_peak(plan.program, {}, Category::activations);
    if (live.values.empty()) return;
    peak.at_work = plan.program.ops[live.op].layer;
    peak.backward = live.op >= plan.backward_begin;
    std::map<std::string, std::size_t> bytes;
    for (ops::ValueId id : live.values)
        bytes[layer_of(plan.program[id].name)] += plan.program[id].bytes();
    take_largest(bytes, peak);
}

void find_scratch(const PlannedRun& run, MemoryPeak& peak) {
    const Pass* most = nullptr;
    for (const auto& [key, pass] : run.passes)
        if (most == nullptr || pass->code->scratch_bytes() > most->code->scratch_bytes())
            most = pass.get();
    const std::size_t op = most->code->scratch_op();
    if (op >= most->plan.program.ops.size()) return;
    peak.layer = most->plan.program.ops[op].layer;
    peak.layer_bytes = most->code->scratch_bytes();
}

void find_variables(const PlannedRun& run, MemoryPeak& peak) {
    std::map<std::string, std::size_t> bytes;
    for (const VariablePlace& place : run.state.variables)
        bytes[place.layer] += static_cast<std::size_t>(place.spec.shape.elements()) * sizeof(float);
    take_largest(bytes, peak);
    if (peak.category != Category::optimizer) return;
    peak.layer_bytes *= run.state.slots.size();
    // Where other processes keep a part, as large a part of each layer's.
    const auto all = static_cast<double>(run.budget()[Category::optimizer]);
    peak.layer_bytes = static_cast<std::size_t>(static_cast<double>(peak.layer_bytes) *
                                                static_cast<double>(peak.bytes) / all);
}

// The smallest that marks of recomputation can make it.
std::size_t least_bytes(const Model& model, const TrainingSetup& setup,
                        const ExecutorOptions& options, const MemoryOf& memory_of) {
    RecomputationSearch search(model, setup, options);
    return memory_of(search.marked_model(search.best_within(0)), setup, options).total();
}

ExecutorOptions with_batch(ExecutorOptions options, std::int64_t batch) {
    for (std::int64_t& other : options.other_batches)
        if (other > 0) other = other % batch == 0 ? batch : other % batch;
    options.batch = batch;
    return options;
}

std::string in_words(const MemoryPeak& peak) {
    std::string text = io::byte_text(peak.bytes) + " are " + device::name_of(peak.category);
    if (!peak.at_work.empty())
        text +=
            " when layer '" + peak.at_work + "' goes " + (peak.backward ? "backward" : "forward");
    if (!peak.layer.empty())
        text += ", of which layer '" + peak.layer + "' takes " + io::byte_text(peak.layer_bytes);
    return text;
}

}  // namespace

MemoryPeak memory_peak(const Model& model, const TrainingSetup& setup,
                       const ExecutorOptions& options, const MemoryOf& memory_of) {
    const PlannedRun run(model, &setup, options);
    const device::MemoryBudget budget = memory_of(model, setup, options);
    MemoryPeak peak;
    for (std::size_t i = 0; i < device::category_count; ++i)
        if (budget.bytes[i] > peak.bytes) {
            peak.category = static_cast<Category>(i);
            peak.bytes = budget.bytes[i];
        }
    if (peak.category == Category::activations) find_activations(run, peak);
    if (peak.category == Category::workspace) find_scratch(run, peak);
    if (peak.category == Category::weights || peak.category == Category::gradients ||
        peak.category == Category::optimizer)
        find_variables(run, peak);
    return peak;
}

std::vector<MemoryAlternative> memory_alternatives(const Model& model, const TrainingSetup& setup,
                                                   const ExecutorOptions& options,
                                                   std::size_t bytes, std::size_t limit,
                                                   const MemoryOf& memory_of) {
    std::vector<MemoryAlternative> found;
    const auto consider = [&](const std::string& change, const TrainingSetup& other,
                              const ExecutorOptions& others_options) {
        const std::size_t needed = least_bytes(model, other, others_options, memory_of);
        if (needed < bytes) found.push_back({change, needed});
        return needed;
    };
    TrainingSetup accumulating = setup;
    accumulating.accumulates = true;
    std::size_t least = bytes;
    for (std::int64_t parts = 2; options.batch / parts > 0 && least > limit; parts *= 2) {
        const std::size_t before = least;
        const std::int64_t part = options.batch / parts;
        const std::size_t needed =
            consider("a batch_size of " + std::to_string(part) + " with " + std::to_string(parts) +
                         " times the gradient_accumulation_steps" + note_of_statistics(model, part),
                     accumulating, with_batch(options, part));
        least = std::min(least, needed);
        if (parts > 2 && least == before) break;
        // Only the last of them is told.
        if (parts > 2 && found.size() > 1 && found.back().bytes == needed)
            found.erase(found.end() - 2);
    }
    for (const char* policy : {"mixed_bfloat16", "mixed_float16"}) {
        if (setup.precision == policy) continue;
        TrainingSetup half = setup;
        half.precision = policy;
        consider(std::string("the precision ") + policy, half, options);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    if (found.size() > most_alternatives) found.resize(most_alternatives);
    return found;
}

Error misfit_error(const Model& model, const TrainingSetup& setup, const ExecutorOptions& options,
                   std::size_t limit, const MemoryOf& memory_of) {
    const std::size_t needed = memory_of(model, setup, options).total();
    std::string hint;
    for (const MemoryAlternative& other :
         memory_alternatives(model, setup, options, needed, limit, memory_of))
        hint += (hint.empty() ? "" : "; ") + other.change + ": " + io::byte_text(other.bytes) +
                (other.bytes <= limit ? ", which fits" : "");
    hint = hint.empty() ? "Neither a smaller batch nor 16-bit precision needs less: use a smaller "
                          "model or a limit of " +
                              io::byte_text(needed)
                        : "By the plan, less is needed by " + hint;
    return Error(ErrorCode::out_of_memory,
                 "the plan needs " + io::byte_text(needed) +
                     " also with activations computed again; the limit is " + io::byte_text(limit) +
                     ". " + in_words(memory_peak(model, setup, options, memory_of)),
                 "training.recomputation.memory_limit", hint);
}

}  // namespace strata::graph
