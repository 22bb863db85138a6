// Cuts a model's layers, in an order in which each comes after what it reads, into stages of near
// equal work. Pure arithmetic; used by automatic placement.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace strata::parallel {

// Of one micro-batch, by place in the order.
struct LayerCosts {
    std::vector<double> seconds;          // forward and backward, and the update's share
    std::vector<std::vector<int>> reads;  // places of its inputs
    std::vector<double> copy_seconds;     // of its output to another device; its gradient as long
    std::vector<double> held_bytes;       // whatever is at work: variables and their slots
    // The last place before that computes with the same variables, which a stage with both holds
    // once; -1: none. Empty: none are shared.
    std::vector<int> shares_with;
    std::vector<double> flight_bytes;  // for each micro-batch in flight

    int layers() const { return static_cast<int>(seconds.size()); }
};

struct StageLimits {
    std::vector<double> bytes;   // of each stage's device; 0: none
    std::vector<int> in_flight;  // micro-batches that each stage holds
};

// The place of the first layer of each stage.
using Cuts = std::vector<int>;

// What the stage from layer `begin` to before `end` takes of a micro-batch, with what it sends.
double stage_seconds(const LayerCosts& costs, int begin, int end);
double stage_bytes(const LayerCosts& costs, int begin, int end, int in_flight);
// Of m micro-batches through all stages: their sum once, and the longest m-1 times.
double pipeline_seconds(const LayerCosts& costs, const Cuts& cuts, int micro_batches);
// Whether each layer of a stage hangs, over layers of its own, on the stage right before: then each
// device has one stage only (find_stages).
bool is_chain(const LayerCosts& costs, const Cuts& cuts);

// The chain of so many stages within the limits with the least pipeline_seconds; of equals the one
// with the earliest last cut. Nothing where there is none. Exact: dynamic programming over the
// longest stage allowed. O(layers^2 stages) for each length that can still win.
std::optional<Cuts> partition(const LayerCosts& costs, int micro_batches,
                              const StageLimits& limits);

// The same with stages of near equal bytes, however long they take: the last resort where memory is
// short.
std::optional<Cuts> partition_bytes(LayerCosts costs, const std::vector<int>& in_flight);

}  // namespace strata::parallel
