#include "engine/parallel/planned_model.h"

#include <algorithm>

#include "engine/parallel/placement_rules.h"

namespace strata::parallel {

using graph::Mode;

PlannedModel::PlannedModel(const PlanRequest& request) {
    const int ranks = std::max(request.placement.ranks, 1);
    const PlacementOptions placement =
        with_threads(request.placement, request.model, request.sharing);
    if (ranks > 1 || !runs_on_one_device(request.model, placement)) {
        placed_ = std::make_unique<PlacedModel>(request.model, &request.setup, request.options,
                                                placement, false, ProcessPlace{0, ranks});
        stages_ = find_stages(placed_->model(), placed_->report());
        return;
    }
    graph::ExecutorOptions options = request.options;
    const std::vector<std::string>& devices = placement.devices;
    if (!devices.empty()) options.device = devices.front();
    if (options.device_options.threads == 0) options.device_options.threads = placement.threads;
    if (const std::size_t limit = placement.memory_limit(options.device); limit > 0)
        options.device_options.memory_limit = limit;
    try {
        single_ = std::make_unique<graph::PlannedRun>(request.model, &request.setup, options);
    } catch (const Error& error) {
        throw at_its_name(error, request.model, placement);
    }
    stages_ = find_stages(single_->model, single_->report);
}

const graph::Model& PlannedModel::model() const {
    return placed_ ? placed_->model() : single_->model;
}

const graph::ModelReport& PlannedModel::report() const {
    return placed_ ? placed_->report() : single_->report;
}

const device::Device& PlannedModel::device(int replica, int device) const {
    return placed_ ? placed_->part(replica, device).device() : *single_->device;
}

device::MemoryBudget PlannedModel::memory(int replica, int device) const {
    return placed_ ? placed_->part(replica, device).budget() : single_->budget();
}

std::vector<std::int64_t> PlannedModel::sizes(int replica) const {
    if (!placed_) return {single_->options.batch};
    return placed_->sizes(placed_->options().batch, replica);
}

const graph::Plan& PlannedModel::plan(int replica, int stage, std::int64_t size) const {
    if (!placed_) return single_->passes.at({Mode::train, size})->plan;
    return placed_->part(replica, device_of(stage)).plan(stage, Mode::train, size);
}

const graph::Plan& PlannedModel::update(int replica, int device) const {
    if (!placed_) return single_->passes.at({Mode::update, graph::no_batch})->plan;
    return placed_->part(replica, device).plan(DevicePart::no_stage, Mode::update, graph::no_batch);
}

Schedule PlannedModel::schedule(int micro_batches) const {
    if (!placed_) return make_schedule(ScheduleKind::naive, stages_.graph, micro_batches);
    return placed_->schedule(micro_batches);
}

std::size_t PlannedModel::reduced_bytes(int device) const {
    return placed_ ? placed_->part(0, device).state().weight_bytes : 0;
}

std::vector<SharedWeights> PlannedModel::shared_weights() const {
    std::vector<SharedWeights> all;
    for (int d = 0; placed_ && d < devices(); ++d)
        for (const graph::VariablePlace& place : placed_->part(0, d).state().variables) {
            if (!place.elsewhere) continue;
            auto known = std::find_if(all.begin(), all.end(), [&](const SharedWeights& shared) {
                return shared.layer == place.layer;
            });
            if (known == all.end()) known = all.insert(all.end(), {place.layer, {}, 0});
            if (known->devices.empty() || known->devices.back() != d) known->devices.push_back(d);
            if (known->devices.size() == 1)
                known->bytes +=
                    static_cast<std::size_t>(place.spec.shape.elements()) * sizeof(float);
        }
    return all;
}

}  // namespace strata::parallel
