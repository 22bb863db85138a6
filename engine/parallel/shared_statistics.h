// Adds up the statistics of layers that normalise by the samples of all replicas, of all processes.
// Used by the batch runner.
#pragma once

#include <span>
#include <vector>

#include "engine/ops/backend.h"
#include "engine/parallel/communicator.h"
#include "engine/parallel/placed_model.h"
#include "engine/parallel/team.h"

namespace strata::parallel {

class SharedStatistics {
public:
    // world: of the processes; may be null.
    SharedStatistics(const PlacedModel& model, Team& team, Communicator* world);

    // The most micro-batches that a replica of any process has, of which `own` are this process's
    // most. Called by all processes before each batch, on the caller's thread.
    int most_micro_batches(int own) const;

    // ---- on the thread of a device, by all its replicas in the same order
    void add_up(int replica, int device, std::span<double> numbers) const;
    // In the place of a stage's work on a micro-batch of which this replica has no sample: adds
    // zeros to the others' sums, and its moving averages follow what they make.
    void join(int replica, const StageTask& task) const;

    // A device of this process has ended by the exception that is being handled: the others'
    // devices wait for its sums.
    void fail() const noexcept;

private:
    void join_training(int replica, const StageTask& task, const ops::Op& op) const;
    // The moving average that is the op's input, by these statistics.
    void follow(int replica, const StageTask& task, const ops::Op& op, std::size_t input,
                std::span<const double> statistics) const;

    const PlacedModel& model_;
    Team& team_;
    Communicator* world_;
    // Of each device of replica 0, with the other processes' device of this place; empty: none.
    std::vector<Communicator*> lines_;
};

// Those of a device of a replica, for its ops.
class SumsOfReplica final : public ops::ReplicaSums {
public:
    SumsOfReplica(const SharedStatistics& statistics, int replica, int device)
        : statistics_(statistics), replica_(replica), device_(device) {}
    void add_up(std::span<double> numbers) override {
        statistics_.add_up(replica_, device_, numbers);
    }

private:
    const SharedStatistics& statistics_;
    int replica_, device_;
};

}  // namespace strata::parallel
