#include "engine/parallel/layer_costs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "engine/graph/runtime.h"
#include "engine/parallel/plan_time.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

using graph::Mode;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::unique_ptr<device::Device> open_one(const PlanRequest& request,
                                         const std::vector<std::string>& devices) {
    device::DeviceOptions options = request.options.device_options;
    if (options.threads == 0) options.threads = request.placement.threads;
    const std::size_t together = devices.size() * static_cast<std::size_t>(request.sharing);
    if (options.threads == 0 && together > 1)
        options.threads = std::max(1, static_cast<int>(usable_cores().size() / together));
    return graph::runtime().open(devices.front(), options);
}

// An op belongs to its layer; the loss, to the output layer.
void add_seconds(const graph::Plan& plan, const std::map<std::string, int>& places, int output,
                 const device::Device& device, const MachineSpeed& speed, LayerCosts& costs) {
    for (const ops::Op& op : plan.program.ops) {
        const auto it = places.find(op.layer);
        costs.seconds[at(it == places.end() ? output : it->second)] +=
            speed.seconds_of(device, plan.program, op);
    }
}

}  // namespace

LayerCosts layer_costs(const PlanRequest& request, const graph::ModelReport& report,
                       const std::vector<std::string>& devices, int replicas, int micro_batches,
                       std::int64_t batch_size) {
    const graph::Model& model = request.model;
    graph::TrainingSetup setup = request.setup;
    setup.accumulates = setup.accumulates || micro_batches > 1;
    const std::int64_t size =
        std::max<std::int64_t>((batch_size + micro_batches - 1) / micro_batches, 1);
    const auto n = static_cast<int>(report.order.size());
    LayerCosts costs;
    costs.seconds.assign(at(n), 0.0);
    costs.reads.resize(at(n));
    std::map<std::string, int> places;
    for (int place = 0; place < n; ++place)
        places[model.layers[at(report.order[at(place)])].name] = place;

    const MachineSpeed& speed = request.speed == nullptr ? measured_speed() : *request.speed;
    const std::unique_ptr<device::Device> device = open_one(request, devices);
    const graph::StateLayout state = graph::lay_out_state(model, report, &setup);
    const int output = places.at(model.layers[at(report.output)].name);
    add_seconds(graph::make_plan(model, report, state, &setup, Mode::train, size,
                                 request.options.input_dtype),
                places, output, *device, speed, costs);
    const graph::Plan update = graph::make_plan(model, report, state, &setup, Mode::update,
                                                graph::no_batch, request.options.input_dtype);
    const int shares = request.placement.sharded_optimizer ? replicas : 1;
    // Once for all micro-batches of a window, and by replicas' shares where it is sharded.
    const double update_seconds =
        seconds_of(update, 0, update.program.ops.size(), *device, speed) /
        static_cast<double>(micro_batches * request.accumulation * shares);
    const LinkSpeed& links = speed.links(devices);
    const double all = static_cast<double>(std::max<std::int64_t>(report.trainable_parameters, 1));
    const double copies = 2.0 + static_cast<double>(state.slots.size()) / shares;
    std::map<int, int> last_of;  // an owner's variables: the last place that computes with them
    for (int place = 0; place < n; ++place) {
        const int index = report.order[at(place)];
        const graph::LayerReport& layer = report.layers[at(index)];
        const int owner = layer.owner < 0 ? index : layer.owner;
        const auto own = static_cast<double>(report.layers[at(owner)].trainable_parameters);
        const auto last = last_of.try_emplace(owner, -1).first;
        costs.shares_with.push_back(std::exchange(last->second, place));
        if (layer.owner < 0) costs.seconds[at(place)] += update_seconds * own / all;
        const double bytes =
            static_cast<double>(layer.activation_bytes) * static_cast<double>(size);
        costs.copy_seconds.push_back(
            devices.size() > 1 ? bytes / links.copy.bytes_per_s + links.copy.latency : 0.0);
        costs.held_bytes.push_back(sizeof(float) * own * copies);
        costs.flight_bytes.push_back(bytes);
        for (const std::string& input : model.layers[at(report.order[at(place)])].inputs)
            costs.reads[at(place)].push_back(places.at(input));
    }
    return costs;
}

}  // namespace strata::parallel
