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

namespace strata::parallel {

using device::Category;
using graph::BatchResult;
using graph::HostTensor;
using graph::Mode;
using graph::Plan;

struct PlacedExecutor::Impl {
    Impl(graph::Model m, const graph::TrainingSetup* setup, const graph::ExecutorOptions& options,
         const PlacementOptions& placement)
        : model(std::move(m), setup, options, placement), team(model), batches(model, team) {}

    graph::UpdateResult update(std::int64_t n, ops::StepScalars scalars) {
        scalars.gradient_scale =
            1.0 / (static_cast<double>(scalars.loss_scale) * static_cast<double>(n));
        double squares = 0.0;  // the same on every device
        team.run([&](int r, int d) {
            const DevicePart& part = model.part(r, d);
            add_up(r, d, Category::gradients, 0, part.state().trainable_bytes);
            double sum = part.begin_update(scalars);
            team.pipeline(r, d).all_reduce(std::span(&sum, 1));
            part.end_update(scalars, sum);
            average_statistics(r, d);
            if (r == 0 && d == 0) squares = sum;
        });
        if (model.state().trainable_bytes == 0) return {};
        return {std::sqrt(squares) * scalars.gradient_scale, std::isfinite(squares)};
    }

    std::span<float> floats(int r, int d, Category category, std::size_t begin, std::size_t end) {
        auto* memory = static_cast<float*>(model.part(r, d).arena().at(category, begin));
        return {memory, (end - begin) / sizeof(float)};
    }

    void add_up(int r, int d, Category category, std::size_t begin, std::size_t end) {
        if (model.replicas() > 1 && begin < end)
            team.replicas(r, d).all_reduce(floats(r, d, category, begin, end));
    }

    // Each replica has seen other samples: the moving averages follow all of them, and are equal
    // when they are saved or used.
    void average_statistics(int r, int d) {
        if (model.replicas() == 1) return;
        const graph::StateLayout& own = model.part(r, d).state();
        add_up(r, d, Category::weights, own.trainable_bytes, own.weight_bytes);
        for (float& value : floats(r, d, Category::weights, own.trainable_bytes, own.weight_bytes))
            value /= static_cast<float>(model.replicas());
    }

    void for_each_part(const std::function<void(const DevicePart&)>& f) const {
        for (int r = 0; r < model.replicas(); ++r)
            for (int d = 0; d < model.devices(); ++d) f(model.part(r, d));
    }

    PlacedModel model;
    Team team;
    BatchRunner batches;
};

PlacedExecutor::PlacedExecutor(graph::Model model, const graph::TrainingSetup* setup,
                               const graph::ExecutorOptions& options,
                               const PlacementOptions& placement)
    : impl_(std::make_unique<Impl>(std::move(model), setup, options, placement)) {}

PlacedExecutor::~PlacedExecutor() = default;

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
        memory.push_back({part.device().info().id, part.arena().budget()});
    });
    return memory;
}

std::vector<std::string> PlacedExecutor::fusions() const {
    return {impl_->model.fusions().begin(), impl_->model.fusions().end()};
}

void PlacedExecutor::initialize(std::uint64_t seed) {
    impl_->model.initialize(seed);
}

BatchResult PlacedExecutor::accumulate(const void* inputs, const void* targets, std::int64_t n,
                                       const ops::StepScalars& scalars) {
    const graph::TrainingSetup* setup = impl_->model.setup();
    if (!scalars.first_in_window && (setup == nullptr || !setup->accumulates))
        throw Error(ErrorCode::internal, "this executor was not planned to accumulate gradients",
                    "executor");
    return impl_->batches.run({Mode::train, inputs, targets, nullptr, n, scalars, nullptr});
}

graph::UpdateResult PlacedExecutor::update(std::int64_t n, ops::StepScalars scalars) {
    return impl_->update(n, scalars);
}

BatchResult PlacedExecutor::evaluate(const void* inputs, const void* targets, std::int64_t n) {
    return impl_->batches.run({Mode::evaluate, inputs, targets, nullptr, n, {}, nullptr});
}

void PlacedExecutor::predict(const void* inputs, std::int64_t n, float* outputs) {
    impl_->batches.run({Mode::predict, inputs, nullptr, outputs, n, {}, nullptr});
}

std::vector<HostTensor> PlacedExecutor::snapshot(bool with_optimizer,
                                                 std::vector<HostTensor> /*buffers*/) const {
    return impl_->model.snapshot(with_optimizer);
}

void PlacedExecutor::restore(std::span<const HostTensor> tensors, bool all_required) {
    impl_->model.restore(tensors, all_required);
}

std::vector<HostTensor> PlacedExecutor::gradients() const {
    return impl_->model.gradients();
}

std::vector<graph::GradientNorm> PlacedExecutor::gradient_norms(double scale) const {
    std::map<std::string, double> norms;
    for (int d = 0; d < impl_->model.devices(); ++d) {
        const DevicePart& part = impl_->model.part(0, d);
        for (const auto& entry : graph::norms_of_gradients(part.arena(), part.state(), scale))
            norms[entry.layer] = entry.norm;
    }
    std::vector<graph::GradientNorm> ordered;
    for (const graph::LayerNode& node : model().layers)
        if (const auto it = norms.find(node.name); it != norms.end())
            ordered.push_back({it->first, it->second});
    return ordered;
}

void PlacedExecutor::copy_statistics(std::vector<std::byte>& out) const {
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

void PlacedExecutor::put_back_statistics(std::span<const std::byte> copied) {
    std::size_t begin = 0;
    impl_->for_each_part([&](const DevicePart& part) {
        const graph::StateLayout& state = part.state();
        const std::size_t bytes = state.weight_bytes - state.trainable_bytes;
        if (bytes == 0) return;
        part.device().copy_in(part.arena().at(Category::weights, state.trainable_bytes),
                              copied.data() + begin, bytes);
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

}  // namespace strata::parallel
