// Ways to place a model over devices, and in words why one of them was chosen. Used by automatic
// placement.
#pragma once

#include <string>
#include <vector>

#include "engine/parallel/auto_placement.h"
#include "engine/parallel/layer_costs.h"

namespace strata::parallel {

struct Way {
    int replicas = 1, stages = 1, micro_batches = 1;
};

// "one device", or "2 replicas of 3 stages with 8 micro-batches".
std::string in_words(const Way& way);

struct PlacedWay {
    Way way;
    PlanRequest request;
    PlacementPlan plan;
    LayerCosts costs;
    std::vector<int> order;  // the model's layers by place
    Cuts cuts;
    bool limited = false;  // memory has moved a cut

    bool fits() const;  // every device
};

// Why this way, and why each cut is where it is: a sentence each. `all` are the ways that were
// weighed, and `batch_size` is a replica's.
std::vector<std::string> reasons_of(const PlacedWay& chosen, const std::vector<AutoCandidate>& all,
                                    const graph::ModelReport& report, std::int64_t batch_size);

}  // namespace strata::parallel
