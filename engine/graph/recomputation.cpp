#include "engine/graph/recomputation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "engine/graph/memory_advice.h"
#include "engine/graph/op_cost.h"

namespace strata::graph {
namespace {

// What moving a byte costs against a FLOP: processors and GPUs do about ten in that time.
constexpr double flops_a_byte = 10.0;
constexpr std::size_t most_grown = 40;  // layers; plans go with the square of their number
constexpr int most_rounds = 4;          // until the plan of every batch size fits

double work_of(const ops::Program& program, const ops::Op& op) {
    const OpCost cost = cost_of(program, op);
    return std::max(cost.flops, flops_a_byte * cost.bytes);
}

}  // namespace

RecomputationSearch::RecomputationSearch(const Model& model, const TrainingSetup& setup,
                                         const ExecutorOptions& options)
    : model_(model), run_(model, &setup, options) {
    for (const auto& [key, pass] : run_.passes) {
        scratch_ = std::max(scratch_, pass->code->scratch_bytes());
        if (key.first == Mode::train) continue;
        for (std::size_t i = 0; i < device::category_count; ++i)
            others_.bytes[i] = std::max(others_.bytes[i], pass->plan.budget.bytes[i]);
    }
    Model all = model;
    for (LayerNode& node : all.layers) node.recompute = true;
    const Plan plan = training_plan(all);
    std::vector<double> work(model.layers.size(), 0.0);
    for (const ops::Op& op : plan.program.ops)
        if (const int layer = model.index_of(op.layer); op.again && layer >= 0)
            work[static_cast<std::size_t>(layer)] += work_of(plan.program, op);
    for (std::size_t i = 0; i < work.size(); ++i)
        if (work[i] > 0.0 && !model.layers[i].recompute) {
            candidates_.push_back(i);
            work_.push_back(work[i]);
        }
}

Plan RecomputationSearch::training_plan(const Model& model) const {
    return make_plan(model, run_.report, run_.state, &*run_.setup, Mode::train, run_.options.batch,
                     run_.options.input_dtype);
}

Model RecomputationSearch::marked_model(const Choice& choice) const {
    Model model = model_;
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        if (choice.marked[i]) model.layers[i].recompute = true;
    return model;
}

RecomputationSearch::Choice RecomputationSearch::tried(std::vector<bool> marked) {
    if (const auto it = known_.find(marked); it != known_.end()) return it->second;
    Choice choice;
    choice.marked = marked;
    const Plan plan = training_plan(marked_model(choice));
    device::MemoryBudget budget = others_;
    for (std::size_t i = 0; i < device::category_count; ++i)
        budget.bytes[i] = std::max(budget.bytes[i], plan.budget.bytes[i]);
    std::size_t& workspace = budget[device::Category::workspace];
    workspace = device::aligned(workspace) + scratch_;
    choice.bytes = budget.total();
    for (const ops::Op& op : plan.program.ops)
        if (op.again) choice.work += work_of(plan.program, op);
    if (known_.empty() || choice.bytes < least_.bytes ||
        (choice.bytes == least_.bytes && choice.work < least_.work))
        least_ = choice;
    return known_[std::move(marked)] = choice;
}

RecomputationSearch::Choice RecomputationSearch::best_within(std::size_t limit) {
    if (const Choice plain = tried(none()); plain.bytes <= limit) return plain;
    return candidates_.size() <= exhaustive ? try_all_sets(limit) : try_starts(limit);
}

RecomputationSearch::Choice RecomputationSearch::try_all_sets(std::size_t limit) {
    std::vector<std::uint32_t> sets((std::size_t{1} << candidates_.size()) - 1);
    std::iota(sets.begin(), sets.end(), 1U);
    const auto work = [&](std::uint32_t set) {
        double sum = 0.0;
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            if ((set >> i & 1U) != 0) sum += work_[i];
        return sum;
    };
    std::stable_sort(sets.begin(), sets.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return work(a) < work(b); });
    for (const std::uint32_t set : sets) {
        std::vector<bool> marked = none();
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            if ((set >> i & 1U) != 0) marked[candidates_[i]] = true;
        if (const Choice choice = tried(std::move(marked)); choice.bytes <= limit)
            return pruned(choice, limit);
    }
    return least_;
}

RecomputationSearch::Choice RecomputationSearch::try_starts(std::size_t limit) {
    std::vector<Choice> starts;
    if (candidates_.size() <= most_grown) starts.push_back(grown(limit));
    // Every stride-th layer is kept, from each place of the first on; the best stride is about the
    // square root of their number.
    const auto most = static_cast<std::size_t>(2.0 * std::sqrt(candidates_.size())) + 2;
    for (std::size_t stride = 2; stride <= most; ++stride)
        for (std::size_t kept = 0; kept < stride; ++kept) {
            std::vector<bool> marked = none();
            for (std::size_t i = 0; i < candidates_.size(); ++i)
                if (i % stride != kept) marked[candidates_[i]] = true;
            starts.push_back(tried(std::move(marked)));
        }
    std::vector<bool> all = none();
    for (std::size_t layer : candidates_) all[layer] = true;
    starts.push_back(tried(std::move(all)));
    const Choice* best = nullptr;
    for (Choice& start : starts) {
        if (start.bytes > limit) continue;
        start = pruned(start, limit);
        if (best == nullptr || start.work < best->work) best = &start;
    }
    return best == nullptr ? least_ : *best;
}

// From none on, the layer that saves most for its work. Where no single one helps, two stretches
// that are needed at once stand in each other's way: the cheapest is taken along.
RecomputationSearch::Choice RecomputationSearch::grown(std::size_t limit) {
    Choice now = tried(none());
    while (now.bytes > limit) {
        std::size_t best = candidates_.size(), cheapest = best;
        double best_worth = 0.0;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            if (now.marked[candidates_[i]]) continue;
            if (cheapest == candidates_.size() || work_[i] < work_[cheapest]) cheapest = i;
            std::vector<bool> marked = now.marked;
            marked[candidates_[i]] = true;
            const Choice then = tried(std::move(marked));
            if (then.bytes >= now.bytes) continue;
            const double worth =
                static_cast<double>(now.bytes - then.bytes) / std::max(1.0, then.work - now.work);
            if (worth <= best_worth) continue;
            best_worth = worth;
            best = i;
        }
        if (best == candidates_.size()) best = cheapest;
        if (best == candidates_.size()) break;
        std::vector<bool> marked = now.marked;
        marked[candidates_[best]] = true;
        now = tried(std::move(marked));
    }
    return now;
}

// Lets go what is not needed, dearest first.
RecomputationSearch::Choice RecomputationSearch::pruned(Choice choice, std::size_t limit) {
    std::vector<std::size_t> order(candidates_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return work_[a] > work_[b]; });
    for (std::size_t i : order) {
        if (!choice.marked[candidates_[i]]) continue;
        std::vector<bool> fewer = choice.marked;
        fewer[candidates_[i]] = false;
        if (const Choice then = tried(std::move(fewer));
            then.bytes <= limit && then.work <= choice.work)
            choice = then;
    }
    return choice;
}

std::vector<std::string> fit_by_recomputation(Model& model, const TrainingSetup& setup,
                                              const ExecutorOptions& options, std::size_t limit,
                                              const MemoryOf& memory_of) {
    RecomputationSearch search(model, setup, options);
    const auto needed_by = [&](const Model& one) { return memory_of(one, setup, options).total(); };
    // What the search counts and the run does not need.
    const std::size_t searched = search.best_within(SIZE_MAX).bytes;
    std::size_t wanted = limit + searched - std::min(searched, needed_by(model));
    for (int round = 0; round < most_rounds; ++round) {
        const RecomputationSearch::Choice choice = search.best_within(wanted);
        const Model fitted = search.marked_model(choice);
        // A short last batch may pack worse than the full one.
        const std::size_t needed = needed_by(fitted);
        if (needed > limit) {
            if (choice.bytes > wanted) break;
            wanted -= std::min(wanted, needed - limit);
            continue;
        }
        std::vector<std::string> names;
        for (std::size_t i = 0; i < model.layers.size(); ++i)
            if (choice.marked[i]) names.push_back(model.layers[i].name);
        model = fitted;
        return names;
    }
    throw misfit_error(search.marked_model(search.best_within(0)), setup, options, limit,
                       memory_of);
}

}  // namespace strata::graph
