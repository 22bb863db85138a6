// A request planned on its devices without allocating there: one face for the plan of a single
// device and for those of several. Used by the planner alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/graph/planned_run.h"
#include "engine/parallel/placed_model.h"
#include "engine/parallel/planner.h"

namespace strata::parallel {

struct SharedWeights {
    std::string layer;  // the owner
    std::vector<int> devices;
    std::size_t bytes = 0;  // that each of them keeps
};

class PlannedModel {
public:
    explicit PlannedModel(const PlanRequest& request);

    const graph::Model& model() const;
    const graph::ModelReport& report() const;
    const Stages& stages() const { return stages_; }
    int replicas() const { return placed_ ? placed_->replicas() : 1; }
    int devices() const { return placed_ ? placed_->devices() : 1; }  // of a replica
    int device_of(int stage) const { return stages_.graph.device[static_cast<std::size_t>(stage)]; }
    const device::Device& device(int replica, int device) const;
    device::MemoryBudget memory(int replica, int device) const;

    // Of the largest batch: a replica's micro-batches; the same for each batch of a window.
    std::vector<std::int64_t> sizes(int replica) const;
    // Of training: a stage's for micro-batches of a size, and a device's update.
    const graph::Plan& plan(int replica, int stage, std::int64_t size) const;
    const graph::Plan& update(int replica, int device) const;
    Schedule schedule(int micro_batches) const;
    // That the replicas of a device sum at an update: its gradients and its moving statistics.
    std::size_t reduced_bytes(int device) const;
    // Of layers that use one layer's variables on several devices of a replica.
    std::vector<SharedWeights> shared_weights() const;

private:
    std::unique_ptr<PlacedModel> placed_;
    std::unique_ptr<graph::PlannedRun> single_;
    Stages stages_;
};

}  // namespace strata::parallel
