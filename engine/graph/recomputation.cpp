#include "engine/graph/recomputation.h"

#include <algorithm>

namespace strata::graph {
namespace {

class Search {
public:
    Search(Model& model, const TrainingSetup& setup, const ExecutorOptions& options)
        : model_(model), setup_(setup), options_(options), report_(require_valid(model)) {}

    std::size_t total() const { return predict_memory(model_, &setup_, options_).total(); }

    // Marks the layer that saves most for its work; false where none saves anything.
    bool mark_best(std::size_t now) {
        std::size_t best = model_.layers.size();
        double best_worth = 0.0;
        for (std::size_t i = 0; i < model_.layers.size(); ++i) {
            if (!can_mark(i)) continue;
            model_.layers[i].recompute = true;
            const std::size_t then = total();
            model_.layers[i].recompute = false;
            if (then >= now) continue;
            const double work = 1.0 + static_cast<double>(report_.layers[i].flops);
            const double worth = static_cast<double>(now - then) / work;
            if (worth <= best_worth) continue;
            best_worth = worth;
            best = i;
        }
        if (best == model_.layers.size()) return false;
        mark(best);
        return true;
    }

    // No single layer helps: two stretches that are needed at once stand in each other's way. The
    // cheapest one is taken along.
    bool mark_cheapest() {
        std::size_t cheapest = model_.layers.size();
        for (std::size_t i = 0; i < model_.layers.size(); ++i)
            if (can_mark(i) && (cheapest == model_.layers.size() ||
                                report_.layers[i].flops < report_.layers[cheapest].flops))
                cheapest = i;
        if (cheapest == model_.layers.size()) return false;
        mark(cheapest);
        return true;
    }

    // Dearest first.
    void let_go(std::size_t limit) {
        std::stable_sort(marked_.begin(), marked_.end(), [&](std::size_t a, std::size_t b) {
            return report_.layers[a].flops > report_.layers[b].flops;
        });
        std::vector<std::size_t> kept;
        for (std::size_t layer : marked_) {
            model_.layers[layer].recompute = false;
            if (total() <= limit) continue;
            model_.layers[layer].recompute = true;
            kept.push_back(layer);
        }
        std::sort(kept.begin(), kept.end());
        marked_ = kept;
    }

    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (std::size_t layer : marked_) names.push_back(model_.layers[layer].name);
        return names;
    }

    void undo() {
        for (std::size_t layer : marked_) model_.layers[layer].recompute = false;
        marked_.clear();
    }

private:
    bool can_mark(std::size_t layer) const {
        return !model_.layers[layer].recompute && static_cast<int>(layer) != report_.input;
    }

    void mark(std::size_t layer) {
        model_.layers[layer].recompute = true;
        marked_.push_back(layer);
    }

    Model& model_;
    const TrainingSetup& setup_;
    const ExecutorOptions& options_;
    ModelReport report_;
    std::vector<std::size_t> marked_;
};

}  // namespace

std::vector<std::string> fit_by_recomputation(Model& model, const TrainingSetup& setup,
                                              const ExecutorOptions& options, std::size_t limit) {
    Search search(model, setup, options);
    std::size_t now = search.total(), least = now;
    while (now > limit) {
        if (!search.mark_best(now) && !search.mark_cheapest()) {
            search.undo();
            throw Error(ErrorCode::out_of_memory,
                        "the plan needs " + std::to_string(least) +
                            " bytes also with activations computed again; " +
                            std::to_string(limit) + " are allowed",
                        "training.recomputation.memory_limit",
                        "Use a smaller batch with gradient accumulation, 16-bit precision, or a "
                        "higher limit");
        }
        now = search.total();
        least = std::min(least, now);
    }
    search.let_go(limit);
    return search.names();
}

}  // namespace strata::graph
