#include "engine/parallel/partition.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace strata::parallel {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

int latest_read(const LayerCosts& costs, int layer) {
    const std::vector<int>& reads = costs.reads[at(layer)];
    return reads.empty() ? layer : *std::max_element(reads.begin(), reads.end());
}

// A table over stretches of layers [begin, end).
class Stretches {
public:
    explicit Stretches(int layers, double value = never)
        : side_(at(layers) + 1), values_(side_ * side_, value) {}
    double& operator()(int begin, int end) { return values_[at(begin) * side_ + at(end)]; }
    double operator()(int begin, int end) const { return values_[at(begin) * side_ + at(end)]; }

private:
    std::size_t side_;
    std::vector<double> values_;
};

class Search {
public:
    Search(const LayerCosts& costs, int micro_batches, const StageLimits& limits)
        : costs_(costs),
          repeats_(micro_batches - 1),
          limits_(limits),
          n_(costs.layers()),
          stages_(static_cast<int>(limits.in_flight.size())),
          seconds_(n_),
          earliest_(n_) {
        for (int begin = 0; begin < n_; ++begin) {
            int earliest = n_;  // where the stage before may begin at the latest
            for (int end = begin + 1; end <= n_; ++end) {
                seconds_(begin, end) = stage_seconds(costs, begin, end);
                if (latest_read(costs, end - 1) < begin)
                    earliest = std::min(earliest, latest_read(costs, end - 1));
                earliest_(begin, end) = earliest;
            }
        }
    }

    std::optional<Cuts> run() {
        if (n_ < stages_ || stages_ < 1) return std::nullopt;
        std::vector<double> lengths;
        for (int begin = 0; begin < n_; ++begin)
            for (int end = begin + 1; end <= n_; ++end) lengths.push_back(seconds_(begin, end));
        std::sort(lengths.begin(), lengths.end());
        lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
        if (repeats_ == 0) return shortest_sum(lengths.back());
        const double work = std::accumulate(costs_.seconds.begin(), costs_.seconds.end(), 0.0);
        double best = never;
        std::optional<Cuts> found;
        // Where a length is enough, every longer one is; but none is worth more than it pays off.
        auto it = std::partition_point(lengths.begin(), lengths.end(),
                                       [&](double length) { return !shortest_sum(length); });
        for (; it != lengths.end() && work + repeats_ * *it < best; ++it) {
            const std::optional<Cuts> cuts = shortest_sum(*it);
            const double seconds = pipeline_seconds(costs_, *cuts, repeats_ + 1);
            if (seconds >= best) continue;
            best = seconds;
            found = cuts;
        }
        return found;
    }

private:
    bool fits(int stage, int begin, int end) const {
        const double limit = limits_.bytes.empty() ? 0.0 : limits_.bytes[at(stage)];
        return limit <= 0.0 ||
               stage_bytes(costs_, begin, end, limits_.in_flight[at(stage)]) <= limit;
    }

    // The chain of the least sum whose stages take no longer than `longest`.
    std::optional<Cuts> shortest_sum(double longest) const {
        // Of the stages up to one that is [begin, end): their sum, and where the one before begins.
        std::vector<Stretches> sum(at(stages_), Stretches(n_));
        std::vector<Stretches> before(at(stages_), Stretches(n_, -1.0));
        for (int end = 1; end <= n_; ++end)
            if (seconds_(0, end) <= longest && fits(0, 0, end)) sum[0](0, end) = seconds_(0, end);
        for (int stage = 1; stage < stages_; ++stage)
            for (int begin = stage; begin < n_; ++begin) extend(stage, begin, longest, sum, before);
        int begin = -1;
        const Stretches& last = sum[at(stages_ - 1)];
        for (int b = 0; b < n_; ++b)
            if (last(b, n_) < never && (begin < 0 || last(b, n_) < last(begin, n_))) begin = b;
        if (begin < 0) return std::nullopt;
        Cuts cuts(at(stages_), 0);
        for (int stage = stages_ - 1, end = n_; stage >= 0; --stage) {
            cuts[at(stage)] = begin;
            const int previous = static_cast<int>(before[at(stage)](begin, end));
            end = begin;
            begin = previous;
        }
        return cuts;
    }

    // All stretches from `begin` as stage number `stage`.
    void extend(int stage, int begin, double longest, std::vector<Stretches>& sum,
                std::vector<Stretches>& before) const {
        std::vector<int> best(at(begin));  // by the latest place where the stage before may begin
        const Stretches& shorter = sum[at(stage - 1)];
        for (int b = 0, least = 0; b < begin; ++b) {
            if (shorter(b, begin) < shorter(least, begin)) least = b;
            best[at(b)] = least;
        }
        for (int end = begin + 1; end <= n_; ++end) {
            if (seconds_(begin, end) > longest) break;
            const int latest = std::min(begin - 1, static_cast<int>(earliest_(begin, end)));
            if (latest < 0 || !fits(stage, begin, end)) continue;
            const int previous = best[at(latest)];
            if (shorter(previous, begin) == never) continue;
            sum[at(stage)](begin, end) = shorter(previous, begin) + seconds_(begin, end);
            before[at(stage)](begin, end) = previous;
        }
    }

    const LayerCosts& costs_;
    int repeats_;
    const StageLimits& limits_;
    int n_, stages_;
    Stretches seconds_, earliest_;
};

}  // namespace

double stage_seconds(const LayerCosts& costs, int begin, int end) {
    double seconds = 0.0;
    std::vector<bool> sent(costs.seconds.size(), false);
    for (int layer = begin; layer < costs.layers(); ++layer) {
        if (layer < end) seconds += costs.seconds[at(layer)];
        for (int source : costs.reads[at(layer)]) {
            // Its output, forward, or the gradient of what it reads, backward.
            const bool crosses = layer < end ? source < begin : source >= begin && source < end;
            if (!crosses || sent[at(source)]) continue;
            sent[at(source)] = true;
            seconds += costs.copy_seconds[at(source)];
        }
    }
    return seconds;
}

double stage_bytes(const LayerCosts& costs, int begin, int end, int in_flight) {
    double bytes = 0.0;
    for (int layer = begin; layer < end; ++layer) {
        const bool here = !costs.shares_with.empty() && costs.shares_with[at(layer)] >= begin;
        bytes +=
            (here ? 0.0 : costs.held_bytes[at(layer)]) + in_flight * costs.flight_bytes[at(layer)];
    }
    return bytes;
}

double pipeline_seconds(const LayerCosts& costs, const Cuts& cuts, int micro_batches) {
    double sum = 0.0, longest = 0.0;
    for (std::size_t stage = 0; stage < cuts.size(); ++stage) {
        const int end = stage + 1 < cuts.size() ? cuts[stage + 1] : costs.layers();
        const double seconds = stage_seconds(costs, cuts[stage], end);
        sum += seconds;
        longest = std::max(longest, seconds);
    }
    return sum + (micro_batches - 1) * longest;
}

bool is_chain(const LayerCosts& costs, const Cuts& cuts) {
    for (std::size_t stage = 1; stage < cuts.size(); ++stage) {
        const int end = stage + 1 < cuts.size() ? cuts[stage + 1] : costs.layers();
        for (int layer = cuts[stage]; layer < end; ++layer)
            if (latest_read(costs, layer) < cuts[stage - 1]) return false;
    }
    return true;
}

std::optional<Cuts> partition(const LayerCosts& costs, int micro_batches,
                              const StageLimits& limits) {
    return Search(costs, micro_batches, limits).run();
}

std::optional<Cuts> partition_bytes(LayerCosts costs, const std::vector<int>& in_flight) {
    constexpr int many = 1000;  // so that the largest stage counts, and not the sum
    const int most = *std::max_element(in_flight.begin(), in_flight.end());
    for (std::size_t i = 0; i < costs.seconds.size(); ++i)
        costs.seconds[i] = costs.held_bytes[i] + most * costs.flight_bytes[i];
    std::fill(costs.copy_seconds.begin(), costs.copy_seconds.end(), 0.0);
    return Search(costs, many, {{}, in_flight}).run();
}

}  // namespace strata::parallel
