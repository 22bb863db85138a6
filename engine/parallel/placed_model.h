// A model with a device for each layer, in as many replicas as are wanted: its stages, their
// schedules and plans, and what each device holds. Used by the placed executor; it runs nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/model_executor.h"
#include "engine/parallel/buckets.h"
#include "engine/parallel/device_part.h"
#include "engine/parallel/placement.h"
#include "engine/parallel/stages.h"

namespace strata::parallel {

// One of the processes that train the same model with the same placement.
struct ProcessPlace {
    int rank = 0, size = 1;
};

class PlacedModel {
public:
    // Opens the devices, plans and, unless it is only planned, allocates. Throws Error: the model,
    // the placement, a device's memory.
    PlacedModel(graph::Model model, const graph::TrainingSetup* setup,
                const graph::ExecutorOptions& options, const PlacementOptions& placement,
                bool allocates = true, ProcessPlace process = {});

    const graph::Model& model() const { return model_; }
    const graph::ModelReport& report() const { return report_; }
    const graph::StateLayout& state() const { return state_; }  // of the whole model
    const graph::ExecutorOptions& options() const { return options_; }
    // Null without a loss; accumulates where a batch is cut.
    const graph::TrainingSetup* setup() const { return setup_ ? &*setup_ : nullptr; }
    const std::set<std::string>& fusions() const { return fusions_; }

    int replicas() const { return placement_.replicas; }
    int devices() const { return static_cast<int>(stages_.devices.size()); }  // of a replica
    const StageGraph& stages() const { return stages_.graph; }
    int device_of(int stage) const;
    int micro_batches() const { return placement_.micro_batches; }
    DevicePart& part(int replica, int device) const {
        return *parts_[static_cast<std::size_t>(replica)][static_cast<std::size_t>(device)];
    }
    // The cores that each device's threads stay on, replica by replica; empty lists: any.
    std::vector<std::vector<int>> cores() const;

    // ---- gradients
    // Of a device of each replica, in the order in which they are completed.
    const std::vector<Bucket>& buckets(int device) const {
        return buckets_[static_cast<std::size_t>(device)];
    }
    // Of the stage's plan for micro-batches of so many samples.
    const std::vector<Completion>& completed_by(int stage, std::int64_t size) const {
        return completions_.at({stage, size});
    }
    // Parts of a device's gradients, in elements, to which several of its stages add: to be cleared
    // before a window.
    std::vector<Share> added_by_stages(int device) const;
    // Each replica of each process updates its share of each bucket only.
    bool sharded() const { return sharded_; }
    // Where it is sharded: which of the parts that a device owns belong to a bucket, first and end.
    std::pair<std::size_t, std::size_t> owned_of_bucket(int replica, int device,
                                                        std::size_t bucket) const;

    bool has_other_processes() const { return process_.size > 1; }
    // Some layer adds up its batch's statistics over the replicas of all processes.
    bool synchronizes() const { return synchronizes_; }
    // What the stages of a replica hand over goes through the host.
    bool has_several_kinds() const;

    // ---- batches
    // The replica's first sample in a batch of n, and the sizes of its micro-batches: near equal,
    // none of them 0, none at all where it gets no sample.
    std::int64_t first_sample(std::int64_t n, int replica) const;
    std::vector<std::int64_t> sizes(std::int64_t n, int replica) const;
    // Of the first micro-batch of a whole batch: planned from the beginning.
    std::int64_t usual_size() const;
    // Whether batches of n samples can be taken as the devices' memory is laid out now.
    bool is_planned(graph::Mode mode, std::int64_t n) const;
    // Plans what was not foreseen. Throws Error for a batch larger than the options'. Not while the
    // devices work.
    void require_planned(graph::Mode mode, std::int64_t n);
    // The order of work for so many micro-batches; require_planned() has made it.
    const Schedule& schedule(int micro_batches) const { return schedules_.at(micro_batches); }
    // Where others have more micro-batches. Not while the devices work.
    void require_schedule(int micro_batches) { make_schedule_for(micro_batches); }
    // The most micro-batches whose outputs a stage may have sent and nobody read.
    int in_flight(int stage) const { return in_flight_[static_cast<std::size_t>(stage)]; }

    // ---- state: as of graph::ModelExecutor
    void initialize(std::uint64_t seed);
    std::vector<graph::HostTensor> snapshot(bool with_optimizer) const;
    std::vector<graph::HostTensor> gradients() const;
    void restore(std::span<const graph::HostTensor> tensors, bool all_required);

private:
    void choose_devices();
    void require_one_kind() const;
    int threads_of_each() const;
    void make_parts();
    const graph::TrainingSetup* training_setup() const;
    std::vector<int> slot_counts(int stage, const graph::Plan& plan) const;
    void make_schedule_for(int micro_batches);
    void plan_ahead();
    bool plan_for(graph::Mode mode, std::int64_t n);
    void note_synchronized(const graph::Plan& plan);
    void plan_stages(graph::Mode mode, std::int64_t size);
    void share_gradients();
    void own_shares(int replica, int device);
    void plan_update();
    std::vector<StagePlan> training_plans(int device, std::int64_t size) const;
    void find_completions(std::int64_t size);
    void place();
    std::vector<graph::HostTensor> in_order(std::vector<graph::HostTensor> tensors) const;

    graph::Model model_;
    graph::ExecutorOptions options_;
    PlacementOptions placement_;
    std::optional<graph::TrainingSetup> setup_;
    graph::ModelReport report_;
    graph::StateLayout state_;
    Stages stages_;
    std::vector<std::string> devices_;                             // replica by replica
    std::map<int, Schedule> schedules_;                            // by the number of micro-batches
    std::vector<int> in_flight_;                                   // of each stage, at most
    std::vector<std::vector<std::unique_ptr<DevicePart>>> parts_;  // of each replica and device
    std::set<std::string> fusions_;
    ProcessPlace process_;
    bool sharded_ = false, synchronizes_ = false;
    std::vector<std::vector<Bucket>> buckets_;  // of each device of a replica
    std::map<std::pair<int, int>, std::vector<std::size_t>> owned_begins_;  // replica, device
    std::map<std::pair<int, std::int64_t>, std::vector<Completion>> completions_;
};

}  // namespace strata::parallel
