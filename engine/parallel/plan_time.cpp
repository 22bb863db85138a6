#include "engine/parallel/plan_time.h"

#include <algorithm>
#include <numeric>

#include "engine/parallel/short_wait.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

double bytes_of(const graph::Plan& plan, const std::vector<graph::Port>& ports) {
    double bytes = 0.0;
    for (const graph::Port& port : ports)
        bytes += static_cast<double>(plan.program[port.value].bytes());
    return bytes;
}

double input_bytes(const graph::Plan& plan) {
    double bytes = 0.0;
    for (ops::ValueId id : {plan.input, plan.targets})
        if (id != ops::no_value) bytes += static_cast<double>(plan.program[id].bytes());
    return bytes;
}

// Of a micro-batch through each stage of a replica, the mean over its micro-batches. A stage copies
// what it sends itself. Where blocks take longer than those who wait for them look, these sleep and
// are woken.
StageTimes stage_times(const PlannedModel& model, int replica, const LinkSpeed& links,
                       const MachineSpeed& speed) {
    const std::vector<std::int64_t> sizes = model.sizes(replica);
    const int stages = model.stages().graph.stages();
    StageTimes times;
    times.forward.assign(at(stages), 0.0);
    times.backward.assign(at(stages), 0.0);
    const double share = 1.0 / static_cast<double>(sizes.size());
    double all = 0.0;
    for (int stage = 0; stage < stages; ++stage) {
        const device::Device& device = model.device(replica, model.device_of(stage));
        for (std::int64_t size : sizes) {
            const graph::Plan& plan = model.plan(replica, stage, size);
            const auto copy = [&](double bytes) { return bytes / links.copy.bytes_per_s; };
            times.forward[at(stage)] +=
                share * (seconds_of(plan, 0, plan.backward_begin, device, speed) +
                         copy(input_bytes(plan) + bytes_of(plan, plan.sent)));
            times.backward[at(stage)] +=
                share *
                (seconds_of(plan, plan.backward_begin, plan.program.ops.size(), device, speed) +
                 copy(bytes_of(plan, plan.sent_gradients)));
        }
        all += times.forward[at(stage)] + times.backward[at(stage)];
    }
    const bool sleeps = all / (2.0 * stages) > std::chrono::duration<double>(short_wait).count();
    times.transfer = sleeps ? links.copy.latency : links.awake;
    const double telling = stages > 1 && sleeps ? links.telling : 0.0;
    for (auto* all_of : {&times.forward, &times.backward})
        for (double& seconds : *all_of) seconds += telling;
    return times;
}

std::vector<std::string> device_ids(const PlannedModel& model) {
    std::vector<std::string> ids;
    for (int r = 0; r < model.replicas(); ++r)
        for (int d = 0; d < model.devices(); ++d) ids.push_back(model.device(r, d).info().id);
    return ids;
}

// Of this process's CPU devices; 0 where there are none.
int cpu_threads(const PlannedModel& model) {
    int threads = 0;
    for (int r = 0; r < model.replicas(); ++r)
        for (int d = 0; d < model.devices(); ++d)
            if (model.device(r, d).info().id.starts_with("cpu"))
                threads += std::max(model.device(r, d).options().threads, 1);
    return threads;
}

// Devices that share the machine's cores: their threads against the cores, at least 1.
double crowding(int threads) {
    return std::max(1.0, static_cast<double>(threads) / static_cast<double>(usable_cores().size()));
}

// What work takes longer on cores that others use too.
struct SharedCores {
    double crowd = 1.0;     // by taking turns on a core
    double slowdown = 1.0;  // by working at once
};

// Stretches a timeline that is of devices with cores of their own, all its blocks alike. Where all
// devices work at once, cores that they share set the pace.
SharedCores share_cores(const PlannedModel& model, const PlanRequest& request, double order,
                        const MachineSpeed& speed, Timeline& timeline) {
    SharedCores shared;
    const int threads = cpu_threads(model) * request.sharing;
    if (threads == 0) return shared;
    shared.crowd = crowding(threads);
    double busy = 0.0;
    for (std::size_t d = 0; d < timeline.devices.size(); ++d) busy += timeline.busy(d);
    const double paced = shared.crowd * busy / static_cast<double>(timeline.devices.size());
    const double length = std::max(timeline.length, paced);
    shared.slowdown = speed.slowdown(threads, length + order);
    const double stretch = length > 0.0 ? shared.slowdown * length / timeline.length : 1.0;
    timeline.length *= stretch;
    for (std::vector<TimelineBlock>& blocks : timeline.devices)
        for (TimelineBlock& block : blocks) {
            block.begin *= stretch;
            block.end *= stretch;
        }
    return shared;
}

StepPrediction predict_step(const PlannedModel& model, const PlanRequest& request,
                            const LinkSpeed& links, const MachineSpeed& speed, Timeline& timeline) {
    StepPrediction step;
    const double order = model.replicas() * model.devices() > 1 ? links.order : 0.0;
    const SharedCores shared = share_cores(model, request, order, speed, timeline);
    step.batches =
        static_cast<double>(request.accumulation) * (timeline.length + shared.slowdown * order);
    for (int d = 0; d < model.devices(); ++d) {
        const graph::Plan& update = model.update(0, d);
        const double seconds =
            seconds_of(update, 0, update.program.ops.size(), model.device(0, d), speed);
        step.update = std::max(step.update, shared.crowd * seconds);
        if (model.replicas() > 1)
            step.all_reduce = std::max(
                step.all_reduce, all_reduce_seconds(static_cast<double>(model.reduced_bytes(d)),
                                                    model.replicas(), links.sum));
    }
    for (const SharedWeights& weights : model.shared_weights())
        step.all_reduce += all_reduce_seconds(static_cast<double>(weights.bytes),
                                              static_cast<int>(weights.devices.size()), links.sum);
    step.update += order;
    step.all_reduce *= shared.slowdown;
    step.update *= shared.slowdown;
    return step;
}

// transfer: latency of what one stage tells another in this pipeline, seconds.
void time_links(const PlannedModel& model, const PlanRequest& request, const LinkSpeed& links,
                double transfer, PlacementPlan& plan) {
    const std::vector<std::int64_t> sizes = model.sizes(0);  // of an empty one nothing is sent
    const double messages = static_cast<double>(request.accumulation) *
                            static_cast<double>(sizes.size() - static_cast<std::size_t>(std::count(
                                                                   sizes.begin(), sizes.end(), 0)));
    for (LinkPlan& link : plan.links) {
        const auto bytes = static_cast<double>(link.bytes);
        link.seconds = link.sums ? bytes / links.sum.bytes_per_s
                                 : bytes / links.copy.bytes_per_s + messages * transfer;
    }
}

}  // namespace

double seconds_of(const graph::Plan& plan, std::size_t begin, std::size_t end,
                  const device::Device& device, const MachineSpeed& speed) {
    double seconds = 0.0;
    for (std::size_t i = begin; i < end; ++i)
        seconds += speed.seconds_of(device, plan.program, plan.program.ops[i]);
    return seconds;
}

void predict_time(const PlannedModel& model, const PlanRequest& request, PlacementPlan& plan) {
    const MachineSpeed& speed = request.speed == nullptr ? measured_speed() : *request.speed;
    const LinkSpeed& links = speed.links(device_ids(model));
    const int micro_batches = static_cast<int>(model.sizes(0).size());
    const StageGraph& stages = model.stages().graph;
    const StageTimes times = stage_times(model, 0, links, speed);
    plan.timeline = simulate(model.schedule(micro_batches), stages, times);
    plan.step = predict_step(model, request, links, speed, plan.timeline);
    plan.idle_share = plan.timeline.idle_share();
    plan.idle_share_formula = idle_share_formula(plan.schedule, stages.devices(), micro_batches,
                                                 std::max(stages.chunks(), 1));
    time_links(model, request, links, times.transfer, plan);
    for (DevicePlan& device : plan.devices) {
        device.busy_seconds = plan.timeline.busy(at(device.number));
        device.idle_share = 1.0 - device.busy_seconds / plan.timeline.length;
    }
    plan.timed = true;
}

}  // namespace strata::parallel
