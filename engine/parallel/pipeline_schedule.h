// The order in which the devices of a pipeline work on micro-batches, and the time that it takes.
// Pure arithmetic: the executor follows it, the planner and the studio show it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace strata::parallel {

// naive: a micro-batch forward and backward through all stages before the next one begins.
// gpipe: all forward, then all backward (Huang et al., arXiv 1811.06965).
// one_f_one_b: a stage turns to the backward pass as soon as it can, so that it holds the
// activations of few micro-batches (Narayanan et al., arXiv 1806.03377).
// interleaved: 1F1B with several stages a device (Narayanan et al., arXiv 2104.04473).
enum class ScheduleKind : std::uint8_t { naive, gpipe, one_f_one_b, interleaved };

// "naive", "gpipe", "1f1b", "interleaved": the project's names.
const char* name_of(ScheduleKind kind);
// Throws Error{invalid_argument} with the four names.
ScheduleKind schedule_kind(const std::string& name, const std::string& where);

// Stages in an order in which each comes after those that it reads.
struct StageGraph {
    std::vector<int> device;              // of each stage, from 0
    std::vector<std::vector<int>> reads;  // stages whose outputs it takes

    int stages() const { return static_cast<int>(device.size()); }
    int devices() const;
    // p stages in a row on p devices, or with chunks > 1 chunks*p stages dealt out in turn.
    static StageGraph chain(int devices, int chunks = 1);
    // How many stages each device has where they are dealt out in turn, as `interleaved` wants it;
    // 0 where they are not.
    int chunks() const;
};

struct StageTask {
    int stage = 0;
    int micro_batch = 0;
    bool backward = false;
    friend bool operator==(const StageTask&, const StageTask&) = default;
};

// Each device's tasks in the order in which it does them. Every stage meets the micro-batches in
// ascending order in both directions, so that sums of gradients do not depend on the schedule.
using Schedule = std::vector<std::vector<StageTask>>;

// Throws Error{invalid_argument}: no micro-batch; interleaved over stages that are not dealt out in
// turn, or with a number of micro-batches that the devices do not divide.
Schedule make_schedule(ScheduleKind kind, const StageGraph& stages, int micro_batches);

// The most micro-batches whose activations each stage holds at a time.
std::vector<int> micro_batches_in_flight(const Schedule& schedule, int stages);

// Of one micro-batch through each stage, in seconds or any unit; transfer: between two stages on
// different devices, in each direction.
struct StageTimes {
    std::vector<double> forward, backward;
    double transfer = 0.0;
};

struct TimelineBlock {
    StageTask task;
    double begin = 0.0, end = 0.0;
};

struct Timeline {
    std::vector<std::vector<TimelineBlock>> devices;
    double length = 0.0;

    double busy(std::size_t device) const;
    // Of all devices together, from 0 to 1.
    double idle_share() const;
};

// When each task runs, where every device works through its list and waits for what it needs.
Timeline simulate(const Schedule& schedule, const StageGraph& stages, const StageTimes& times);

// (p-1)/(m+p-1) for equal stages; with v chunks a device and m a multiple of p, (p-1)/(vm+p-1).
double idle_share_formula(ScheduleKind kind, int devices, int micro_batches, int chunks = 1);

}  // namespace strata::parallel
