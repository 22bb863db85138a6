#include "engine/parallel/placed_executor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/core/error.h"
#include "engine/graph/host_state.h"
#include "engine/graph/host_values.h"
#include "engine/graph/planned_run.h"
#include "engine/parallel/batch_runner.h"
#include "engine/parallel/placed_update.h"

namespace strata::parallel {

using device::Category;
using graph::BatchResult;
using graph::HostTensor;
using graph::Mode;
using graph::Plan;

struct PlacedExecutor::Impl {
    Impl(graph::Model m, const graph::TrainingSetup* setup, const graph::ExecutorOptions& options,
         const PlacementOptions& placement, Communicator* others)
        : world(others != nullptr && others->size() > 1 ? others : nullptr),
          model(std::move(m), setup, options, placement, true,
                world == nullptr ? ProcessPlace{} : ProcessPlace{world->rank(), world->size()}),
          groups(model, world),
          exchange(model, groups, world),
          team(model),
          batches(model, team, exchange, groups, world),
          updates(model, team, exchange, groups, world,
                  [this](int r) { return batches.samples(r); }) {
        team.on_failure([this] {
            batches.fail();
            exchange.fail();
        });
    }

    // Before the batches' memory on the host goes, which waits for the devices.
    ~Impl() { groups.end(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    // Of tensors of which each process holds its shares, and 0 for the others'.
    void complete(std::vector<HostTensor>& tensors, bool slots_only) const {
        if (world == nullptr || !model.sharded()) return;
        for (HostTensor& tensor : tensors)
            if (!slots_only || !tensor.slot.empty()) world->all_reduce(tensor.values);
    }

    void for_each_part(const std::function<void(const DevicePart&)>& f) const {
        for (int r = 0; r < model.replicas(); ++r)
            for (int d = 0; d < model.devices(); ++d) f(model.part(r, d));
    }

    Communicator* world;
    PlacedModel model;
    DeviceGroups groups;
    GradientExchange exchange;
    Team team;
    BatchRunner batches;
    PlacedUpdate updates;
    BatchResult window;  // its sums so far
    graph::UpdateResult updated;
    std::vector<std::byte> statistics;  // as they were kept, device by device
};

PlacedExecutor::PlacedExecutor(graph::Model model, const graph::TrainingSetup* setup,
                               const graph::ExecutorOptions& options,
                               const PlacementOptions& placement, Communicator* world)
    : impl_(std::make_unique<Impl>(std::move(model), setup, options, placement, world)) {}

PlacedExecutor::~PlacedExecutor() = default;

bool PlacedExecutor::reaches_others() const {
    return impl_->groups.reaches_others();
}
std::vector<std::byte> PlacedExecutor::make_group_ids() const {
    return impl_->groups.make_ids();
}
void PlacedExecutor::join_others(std::span<const std::byte> ids) {
    impl_->groups.join_others(ids);
}

const graph::Model& PlacedExecutor::model() const {
    return impl_->model.model();
}
const graph::ModelReport& PlacedExecutor::report() const {
    return impl_->model.report();
}
const graph::StateLayout& PlacedExecutor::state() const {
    return impl_->model.state();
}

std::vector<graph::DeviceMemory> PlacedExecutor::memory_by_device() const {
    std::vector<graph::DeviceMemory> memory;
    impl_->for_each_part([&](const DevicePart& part) {
        const device::DeviceInfo& info = part.device().info();
        memory.push_back({info.id, part.arena().budget(), info.description});
    });
    return memory;
}

std::vector<std::string> PlacedExecutor::fusions() const {
    return {impl_->model.fusions().begin(), impl_->model.fusions().end()};
}

void PlacedExecutor::initialize(std::uint64_t seed) {
    impl_->model.initialize(seed);
}

void PlacedExecutor::accumulate(const void* inputs, const void* targets, std::int64_t n,
                                const ops::StepScalars& scalars) {
    const graph::TrainingSetup* setup = impl_->model.setup();
    if (!scalars.first_in_window && (setup == nullptr || !setup->accumulates))
        throw Error(ErrorCode::internal, "this executor was not planned to accumulate gradients",
                    "executor");
    if (scalars.first_in_window)
        impl_->exchange.take();
    else if (impl_->exchange.begun())
        throw Error(ErrorCode::internal, "the window's last batch has been there", "executor");
    const BatchResult batch =
        impl_->batches.run({Mode::train, inputs, targets, nullptr, n, scalars, nullptr});
    BatchResult& window = impl_->window;
    if (scalars.first_in_window) window = {0.0, std::vector<double>(batch.metric_sums.size())};
    window.loss_sum += batch.loss_sum;
    for (std::size_t i = 0; i < batch.metric_sums.size(); ++i)
        window.metric_sums[i] += batch.metric_sums[i];
}

BatchResult PlacedExecutor::window_sums() {
    return impl_->window;
}

// Processes have agreed on the loss before: all of them take part.
void PlacedExecutor::begin_update(std::int64_t n, ops::StepScalars scalars) {
    const BatchResult& window = impl_->window;
    impl_->updated = {};
    impl_->updated.samples = n;
    impl_->updated.applied = impl_->world != nullptr || std::isfinite(window.loss_sum);
    if (impl_->updated.applied) impl_->updated = impl_->updates.run(n, scalars);
    impl_->updated.loss_sum = window.loss_sum;
    impl_->updated.metric_sums = window.metric_sums;
}

graph::UpdateResult PlacedExecutor::finish_update() {
    return impl_->updated;
}

BatchResult PlacedExecutor::evaluate(const void* inputs, const void* targets, std::int64_t n) {
    return impl_->batches.run({Mode::evaluate, inputs, targets, nullptr, n, {}, nullptr});
}

void PlacedExecutor::predict(const void* inputs, std::int64_t n, float* outputs) {
    impl_->batches.run({Mode::predict, inputs, nullptr, outputs, n, {}, nullptr});
}

std::vector<HostTensor> PlacedExecutor::snapshot(bool with_optimizer,
                                                 std::vector<HostTensor> /*buffers*/) const {
    impl_->groups.settle_all();
    std::vector<HostTensor> tensors = impl_->model.snapshot(with_optimizer);
    impl_->complete(tensors, true);
    return tensors;
}

void PlacedExecutor::restore(std::span<const HostTensor> tensors, bool all_required) {
    impl_->groups.settle_all();
    impl_->model.restore(tensors, all_required);
}

std::vector<HostTensor> PlacedExecutor::gradients() const {
    impl_->groups.settle_all();
    std::vector<HostTensor> tensors = impl_->model.gradients();
    impl_->complete(tensors, false);
    return tensors;
}

std::vector<graph::GradientNorm> PlacedExecutor::gradient_norms(double scale) const {
    impl_->groups.settle_all();
    std::map<std::string, double> squares;
    const int replicas = impl_->model.sharded() ? impl_->model.replicas() : 1;
    for (int r = 0; r < replicas; ++r)
        for (int d = 0; d < impl_->model.devices(); ++d) {
            const DevicePart& part = impl_->model.part(r, d);
            for (const auto& entry : graph::norms_of_gradients(part.arena(), part.state(), scale))
                squares[entry.layer] += entry.norm * entry.norm;
        }
    std::vector<graph::GradientNorm> ordered;
    std::vector<double> sums;
    for (const graph::LayerNode& node : model().layers)
        if (const auto it = squares.find(node.name); it != squares.end()) {
            ordered.push_back({it->first, 0.0});
            sums.push_back(it->second);
        }
    if (impl_->world != nullptr && impl_->model.sharded()) impl_->world->all_reduce(sums);
    for (std::size_t i = 0; i < ordered.size(); ++i) ordered[i].norm = std::sqrt(sums[i]);
    return ordered;
}

void PlacedExecutor::keep_statistics() {
    impl_->groups.settle_all();
    std::vector<std::byte>& out = impl_->statistics;
    out.clear();
    impl_->for_each_part([&](const DevicePart& part) {
        const graph::StateLayout& state = part.state();
        const std::size_t begin = out.size(), bytes = state.weight_bytes - state.trainable_bytes;
        if (bytes == 0) return;
        out.resize(begin + bytes);
        part.device().copy_out(out.data() + begin,
                               part.arena().at(Category::weights, state.trainable_bytes), bytes);
    });
}

void PlacedExecutor::put_back_statistics() {
    impl_->groups.settle_all();
    std::size_t begin = 0;
    impl_->for_each_part([&](const DevicePart& part) {
        const graph::StateLayout& state = part.state();
        const std::size_t bytes = state.weight_bytes - state.trainable_bytes;
        if (bytes == 0) return;
        part.device().copy_in(part.arena().at(Category::weights, state.trainable_bytes),
                              impl_->statistics.data() + begin, bytes);
        part.device().synchronize();
        begin += bytes;
    });
}

std::optional<graph::NotFinite> PlacedExecutor::find_not_finite(const void* inputs,
                                                                const void* targets, std::int64_t n,
                                                                const ops::StepScalars& scalars) {
    std::optional<graph::NotFinite> found;
    BatchCall call{Mode::train, inputs, targets, nullptr, n, scalars, nullptr};
    call.watch = [&](const Plan& plan, const ops::Op& op, device::Device& device,
                     const DevicePart::AddressOf& address) {
        for (ops::ValueId id : op.outputs) {
            const ops::Value& value = plan.program[id];
            std::vector<std::byte> bytes(value.bytes());
            device.copy_out(bytes.data(), address(id), bytes.size());
            if (!found && !graph::all_finite(bytes.data(), value.dtype, value.shape.elements()))
                found = graph::NotFinite{op.layer, op.backward};
        }
        return !found;
    };
    impl_->batches.walk(call, [&] { return found.has_value(); });
    return found;
}

std::vector<graph::LayerActivity> PlacedExecutor::probe(const void* inputs, std::int64_t n) {
    n = std::min({n, impl_->model.options().batch, graph::probe_batch});
    std::map<std::string, std::vector<bool>> alive;  // of each layer's units, for any micro-batch
    BatchCall call{Mode::probe, inputs, nullptr, nullptr, n, {}, nullptr};
    call.watch = [&](const Plan& plan, const ops::Op& op, device::Device& device,
                     const DevicePart::AddressOf& address) {
        if (&op != &plan.program.ops.back()) return true;
        for (const auto& [layer, output] : plan.probes) {
            const ops::Value& value = plan.program[output];
            std::vector<std::byte> bytes(value.bytes());
            device.copy_out(bytes.data(), address(output), bytes.size());
            std::vector<bool>& units = alive[layer];
            units.resize(static_cast<std::size_t>(value.shape[-1]), false);
            graph::mark_alive_columns(bytes.data(), value.dtype,
                                      value.shape.elements() / value.shape[-1], units);
        }
        return true;
    };
    impl_->batches.walk(call, [] { return false; });
    std::vector<graph::LayerActivity> result;
    for (const graph::LayerNode& node : model().layers)
        if (const auto it = alive.find(node.name); it != alive.end())
            result.push_back({node.name, static_cast<std::int64_t>(it->second.size()),
                              std::count(it->second.begin(), it->second.end(), false), n});
    return result;
}

const std::vector<MeasuredBlock>& PlacedExecutor::timeline() const {
    return impl_->batches.timeline();
}

ExchangeTimes PlacedExecutor::exchange_times() const {
    return impl_->exchange.times();
}

}  // namespace strata::parallel
