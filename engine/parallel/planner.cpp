#include "engine/parallel/planner.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/graph/op_cost.h"
#include "engine/parallel/plan_advice.h"
#include "engine/parallel/plan_time.h"
#include "engine/parallel/planned_model.h"

namespace strata::parallel {
namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

double flops_of(const graph::Plan& plan) {
    double flops = 0.0;
    for (const ops::Op& op : plan.program.ops) flops += graph::cost_of(plan.program, op).flops;
    return flops;
}

std::size_t memory_limit_of(const PlannedModel& model, int replica, int device) {
    const device::Device& own = model.device(replica, device);
    const std::size_t limit = own.options().memory_limit;
    return limit > 0 ? limit : own.info().memory;
}

DevicePlan plan_device(const PlannedModel& model, const PlanRequest& request, int replica,
                       int device) {
    DevicePlan plan;
    plan.device = model.device(replica, device).info().id;
    plan.replica = replica;
    plan.number = device;
    plan.threads = model.device(replica, device).options().threads;
    plan.memory = model.memory(replica, device);
    plan.memory_limit = memory_limit_of(model, replica, device);
    const Stages& stages = model.stages();
    for (std::size_t layer = 0; layer < model.model().layers.size(); ++layer)
        if (model.device_of(stages.of_layer[layer]) == device)
            plan.layers.push_back(model.model().layers[layer].name);
    for (std::int64_t size : model.sizes(replica))
        for (int stage = 0; stage < stages.graph.stages(); ++stage)
            if (model.device_of(stage) == device)
                plan.flops += flops_of(model.plan(replica, stage, size));
    plan.flops *= static_cast<double>(request.accumulation);
    return plan;
}

// ---- edges

struct Crossing {
    int layer = 0, from = 0, to = 0;  // stages
    std::size_t forward = 0, backward = 0;
};

std::size_t bytes_of(const graph::Plan& plan, const graph::Port& port) {
    return plan.program[port.value].bytes();
}

// What crosses in an update of a replica: each layer's output once for each stage that reads it.
std::vector<Crossing> crossings_of(const PlannedModel& model, const PlanRequest& request,
                                   int replica) {
    std::vector<Crossing> all;
    const auto crossing = [&](int layer, int from, int to) -> Crossing& {
        const auto known = std::find_if(all.begin(), all.end(), [&](const Crossing& c) {
            return c.layer == layer && c.from == from && c.to == to;
        });
        if (known != all.end()) return *known;
        return all.emplace_back(Crossing{layer, from, to});
    };
    const auto times = static_cast<std::size_t>(request.accumulation);
    for (std::int64_t size : model.sizes(replica))
        for (int stage = 0; stage < model.stages().graph.stages(); ++stage) {
            const graph::Plan& plan = model.plan(replica, stage, size);
            for (const graph::Port& port : plan.sent)
                crossing(port.layer, stage, port.stage).forward += times * bytes_of(plan, port);
            for (const graph::Port& port : plan.sent_gradients)
                crossing(port.layer, port.stage, stage).backward += times * bytes_of(plan, port);
        }
    return all;
}

std::vector<EdgePlan> edges_of(const PlannedModel& model, const PlanRequest& request) {
    const Stages& stages = model.stages();
    std::vector<EdgePlan> edges;
    for (const Crossing& crossing : crossings_of(model, request, 0)) {
        const graph::LayerNode& source = model.model().layers[at(crossing.layer)];
        bool shared = false;
        for (int reader : stages.layers[at(crossing.to)]) {
            const graph::LayerNode& node = model.model().layers[at(reader)];
            if (std::find(node.inputs.begin(), node.inputs.end(), source.name) == node.inputs.end())
                continue;
            edges.push_back({source.name, node.name,
                             model.device(0, model.device_of(crossing.from)).info().id,
                             model.device(0, model.device_of(crossing.to)).info().id,
                             crossing.forward, crossing.backward, shared});
            shared = true;
        }
    }
    return edges;
}

void add_link(std::vector<LinkPlan>& links, const std::string& from, const std::string& to,
              std::size_t bytes, bool sums) {
    if (bytes == 0 || from == to) return;
    for (LinkPlan& link : links)
        if (link.from_device == from && link.to_device == to && link.sums == sums) {
            link.bytes += bytes;
            return;
        }
    links.push_back({from, to, bytes, sums, 0.0});
}

// Each of n devices reads its n-th part of the others' gradients, and writes the sums to them.
void add_shared_weights(const PlannedModel& model, std::vector<LinkPlan>& links) {
    for (const SharedWeights& shared : model.shared_weights())
        for (int r = 0; r < model.replicas(); ++r)
            for (int from : shared.devices)
                for (int to : shared.devices)
                    add_link(links, model.device(r, from).info().id, model.device(r, to).info().id,
                             2 * shared.bytes / shared.devices.size(), true);
}

std::vector<LinkPlan> links_of(const PlannedModel& model, const PlanRequest& request) {
    std::vector<LinkPlan> links;
    for (int r = 0; r < model.replicas(); ++r)
        for (const Crossing& crossing : crossings_of(model, request, r)) {
            const auto name = [&](int stage) {
                return model.device(r, model.device_of(stage)).info().id;
            };
            add_link(links, name(crossing.from), name(crossing.to), crossing.forward, false);
            add_link(links, name(crossing.to), name(crossing.from), crossing.backward, false);
        }
    add_shared_weights(model, links);
    if (model.replicas() == 1) return links;
    // Each rank hands on 2(N-1)/N of what is summed.
    const auto ranks = static_cast<std::size_t>(model.replicas());
    for (int d = 0; d < model.devices(); ++d)
        for (int r = 0; r < model.replicas(); ++r)
            add_link(links, model.device(r, d).info().id,
                     model.device((r + 1) % model.replicas(), d).info().id,
                     2 * (ranks - 1) * model.reduced_bytes(d) / ranks, true);
    return links;
}

void share_work(PlacementPlan& plan) {
    std::vector<double> sums(at(plan.replicas), 0.0);
    const auto work = [&](const DevicePlan& d) { return plan.timed ? d.busy_seconds : d.flops; };
    for (const DevicePlan& device : plan.devices) sums[at(device.replica)] += work(device);
    for (DevicePlan& device : plan.devices)
        if (sums[at(device.replica)] > 0.0)
            device.work_share = work(device) / sums[at(device.replica)];
}

}  // namespace

PlacementPlan plan_placement(const PlanRequest& request, const PlanDetail& detail) {
    if (request.setup.loss == nullptr || request.setup.optimizer == nullptr)
        throw Error(ErrorCode::internal, "a plan needs a loss and an optimizer", "planner");
    const PlannedModel model(request);
    PlacementPlan plan;
    plan.replicas = model.replicas();
    plan.stages = model.stages().graph.stages();
    plan.micro_batches = request.placement.micro_batches;
    plan.schedule = request.placement.schedule;
    plan.samples = request.options.batch * request.accumulation;
    for (int r = 0; r < model.replicas(); ++r)
        for (int d = 0; d < model.devices(); ++d)
            plan.devices.push_back(plan_device(model, request, r, d));
    for (const DevicePlan& device : plan.devices) plan.flops += device.flops;
    plan.edges = edges_of(model, request);
    plan.links = links_of(model, request);
    if (detail.time) predict_time(model, request, plan);
    share_work(plan);
    if (detail.warnings) plan.warnings = warnings_of(request, plan);
    return plan;
}

}  // namespace strata::parallel
