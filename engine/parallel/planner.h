// What a placement will need and take, before anything is allocated: memory of each device, bytes
// over each edge, the time of a step and how long devices wait. Called by `strata plan` and the
// studio; not for a window's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/parallel/placement.h"

namespace strata::parallel {

class MachineSpeed;

// A run, as the planner needs to know it: the arguments of its executor. Where several processes
// train together (placement.ranks), what the first of them holds; their network is not timed.
struct PlanRequest {
    graph::Model model;              // its layers name their devices
    graph::TrainingSetup setup;      // with a loss and an optimizer
    graph::ExecutorOptions options;  // batch and other_batches: of all replicas together;
                                     // device: only read where all runs on one device
    PlacementOptions placement;
    std::int64_t accumulation = 1;  // batches an update
    int sharing = 1;  // processes of this run on the cores of this machine, this one among them
    const MachineSpeed* speed = nullptr;  // null: measured; outlives the plans
};

struct DevicePlan {
    std::string device;  // "cpu:1"
    int replica = 0;
    int number = 0;                   // among the devices of its replica
    int threads = 0;                  // of a CPU device
    device::MemoryBudget memory;      // of its arena, byte for byte
    std::size_t memory_limit = 0;     // bytes; 0: none is known
    std::vector<std::string> layers;  // in the model's order
    double flops = 0.0;               // of an update, forward and backward
    double work_share = 0.0;          // of its replica, 0 to 1: by time where it is predicted,
                                      // else by FLOPs
    double busy_seconds = 0.0;        // of a batch; 0 where no time is predicted
    double idle_share = 0.0;          // of a batch, 0 to 1; likewise
    bool fits() const { return memory_limit == 0 || memory.total() <= memory_limit; }
};

// An edge of the model between layers on two devices: of the first replica, the others are alike.
struct EdgePlan {
    std::string from_layer, to_layer;
    std::string from_device, to_device;
    std::size_t forward_bytes = 0;   // of an update: outputs
    std::size_t backward_bytes = 0;  // their gradients, the other way
    // The receiving stage has several readers of from_layer, and an edge before this one counts the
    // bytes: they cross once.
    bool shared = false;
};

// All that goes from one device to another in an update.
struct LinkPlan {
    std::string from_device, to_device;
    std::size_t bytes = 0;
    bool sums = false;     // of gradients: the replicas' ring, and weights that several devices
                           // share; else layers' outputs and their gradients
    double seconds = 0.0;  // that the link is busy; 0 where no time is predicted
};

// Seconds of an update.
struct StepPrediction {
    double batches = 0.0;     // forward and backward, waiting included
    double all_reduce = 0.0;  // of the gradients, after the last batch
    double update = 0.0;      // optimizer and what follows it
    double total() const { return batches + all_reduce + update; }
};

// A change of the request that makes it need less of the memory that is short.
struct PlanChange {
    std::optional<std::int64_t> batch_size, accumulation;  // batch_size: of a replica
    std::optional<std::string> precision;
    std::vector<std::string> recompute;                        // layers to mark, besides those
    std::vector<std::pair<std::string, std::string>> devices;  // layer, its new device
    std::optional<int> micro_batches;
    std::optional<bool> sharded_optimizer;
};

// Planned again with the change: never an estimate.
struct PlanFix {
    std::string text;  // "half the batch_size, 32, and twice the gradient_accumulation_steps, 2"
    PlanChange change;
    std::size_t bytes = 0;    // then on the device of the warning
    bool fits = false;        // then every device does
    double slowdown = 1.0;    // seconds a sample against the request's; 1 where no time is known
    double idle_share = 0.0;  // then, of a batch; where the warning is of waiting
};

struct PlanWarning {
    std::string device;          // "" where it concerns the whole
    std::string text;            // what is wrong, in words, with its figures
    std::size_t too_much = 0;    // bytes above the device's limit; 0: another fault
    double idle_share = 0.0;     // that the devices wait too long; 0: another fault
    std::vector<PlanFix> fixes;  // those that help most first
};

struct PlacementPlan {
    std::vector<DevicePlan> devices;  // replica by replica
    std::vector<EdgePlan> edges;
    std::vector<LinkPlan> links;
    int replicas = 1, stages = 1, micro_batches = 1;
    ScheduleKind schedule = ScheduleKind::one_f_one_b;
    std::int64_t samples = 0;  // of an update
    double flops = 0.0;        // of an update, all devices together

    bool timed = false;  // whether what follows is there
    StepPrediction step;
    double idle_share = 0.0;          // of a batch, all devices together
    double idle_share_formula = 0.0;  // (p-1)/(m+p-1) and its like: of equal stages
    Timeline timeline;                // of a batch on the first replica, seconds

    std::vector<PlanWarning> warnings;

    double seconds_per_sample() const { return step.total() / static_cast<double>(samples); }
};

struct PlanDetail {
    bool time = true;      // measures devices and links on first need, once in a process
    bool warnings = true;  // plans a few times more where a device's memory is too small
};

// Throws Error: what the executor of these arguments throws when it is made, but for memory.
// Thread-safe. Allocates nothing on the devices but to measure them.
PlacementPlan plan_placement(const PlanRequest& request, const PlanDetail& detail = {});

// For batches of so many samples, of all replicas together, and the short ones that then remain.
void set_batch(PlanRequest& request, std::int64_t batch);

// The request with a fix's change.
PlanRequest with_change(PlanRequest request, const PlanChange& change);

}  // namespace strata::parallel
