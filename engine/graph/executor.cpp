#include "engine/graph/executor.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/graph/evaluation_figures.h"
#include "engine/graph/host_state.h"
#include "engine/graph/host_values.h"
#include "engine/graph/planned_run.h"
#include "engine/graph/update_figures.h"

namespace strata::graph {

using device::Category;

struct Executor::Impl : PlannedRun {
    Impl(Model m, const TrainingSetup* s, const ExecutorOptions& o)
        : PlannedRun(std::move(m), s, o), evaluations(*device, setup ? setup->metrics.size() : 0) {
        make_arena();
        for (auto& [key, pass] : passes) bind(*pass);
        if (!setup) return;
        if (options.training) figures.emplace(*device, passes.at({Mode::update, no_batch})->plan);
        if (queued != nullptr) feed = queued->make_feed(feed_memory(), feed_bytes());
    }

    ~Impl() {
        for (auto& [key, pass] : passes) device->release(pass->own_scratch);
    }

    void make_arena() {
        scratch_at = scratch_offset();
        kept_in_arena = kept_offset();
        arena = std::make_unique<device::Arena>(*device, budget());
    }

    void* feed_memory() const { return arena->at(Category::input, feed_offset()); }
    void* kept_statistics() const { return arena->at(Category::workspace, kept_in_arena); }
    void* statistics() const { return arena->at(Category::weights, state.trainable_bytes); }

    void bind(Pass& pass) {
        const Plan& plan = pass.plan;
        void* scratch = arena->at(Category::workspace, scratch_at);
        if (pass.code->scratch_bytes() > arena->budget()[Category::workspace] - scratch_at)
            scratch = pass.own_scratch = device->allocate(pass.code->scratch_bytes());
        pass.addresses.resize(plan.program.values.size());
        for (std::size_t i = 0; i < plan.program.values.size(); ++i) {
            const auto root =
                static_cast<std::size_t>(plan.program.root(static_cast<ops::ValueId>(i)));
            pass.addresses[i] = arena->at(plan.program.values[root].category, plan.offsets[i]);
        }
        pass.code->bind(plan.program, pass.addresses, scratch);
    }

    // The pass for n samples; one that was not foreseen is planned now, in the same arena.
    Pass& pass_for(Mode mode, std::int64_t n) {
        if (const auto it = passes.find({mode, n}); it != passes.end()) return *it->second;
        if (mode != Mode::predict && !setup)
            throw Error(ErrorCode::internal, "an executor without a loss can only predict",
                        "executor");
        if (n < 1 || n > options.batch)
            throw Error(ErrorCode::invalid_argument, "a batch of " + std::to_string(n) + " samples",
                        "batch",
                        "This executor was planned for 1 to " + std::to_string(options.batch));
        Pass& pass = compile(mode, n);
        for (std::size_t i = 0; i < device::category_count; ++i)
            if (pass.plan.budget.bytes[i] > arena->budget().bytes[i]) {
                grow();
                return pass;
            }
        bind(pass);
        return pass;
    }

    // Bytes that outlive a pass: they come first in each category.
    device::MemoryBudget persistent() const {
        device::MemoryBudget most;
        for (const auto& [key, pass] : passes)
            for (std::size_t i = 0; i < pass->plan.program.values.size(); ++i) {
                const ops::Value& value = pass->plan.program.values[i];
                if (!value.persistent || value.base != ops::no_value) continue;
                std::size_t& bytes = most[value.category];
                bytes = std::max(bytes, pass->plan.offsets[i] + value.bytes());
            }
        return most;
    }

    // Moves what outlives a pass into an arena for all plans.
    void grow() {
        const std::size_t kept_at = kept_in_arena;
        const device::MemoryBudget lasting = persistent();
        std::array<std::vector<std::byte>, device::category_count> kept;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            kept[i].resize(std::min(lasting.bytes[i], arena->budget().bytes[i]));
            device->copy_out(kept[i].data(), arena->base(static_cast<Category>(i)), kept[i].size());
        }
        std::vector<std::byte> before(kept_bytes());
        device->copy_out(before.data(), arena->at(Category::workspace, kept_at), before.size());
        arena.reset();
        make_arena();
        for (std::size_t i = 0; i < kept.size(); ++i)
            device->copy_in(arena->base(static_cast<Category>(i)), kept[i].data(), kept[i].size());
        device->copy_in(kept_statistics(), before.data(), before.size());
        device->synchronize();
        if (feed) feed->move_to(feed_memory());
        for (auto& [key, pass] : passes) bind(*pass);
    }

    void put(Pass& pass, const void* inputs, const void* targets) {
        for (const auto& [id, host] :
             {std::pair{pass.plan.input, inputs}, {pass.plan.targets, targets}})
            if (id != ops::no_value && host != nullptr)
                device->copy_in(address(pass, id), host, pass.plan.program[id].bytes());
    }

    // Of a pass with a loss: its input, then its targets.
    void fill_feed(const Pass& pass, const void* inputs, const void* targets) {
        const std::array<ops::Feed::Part, 2> parts{
            {{inputs, pass.plan.program[pass.plan.input].bytes()},
             {targets, pass.plan.program[pass.plan.targets].bytes()}}};
        feed->fill(parts);
    }

    void take_from_feed(const Pass& pass) {
        const std::array<void*, 2> places{address(pass, pass.plan.input),
                                          address(pass, pass.plan.targets)};
        feed->take(places);
    }

    void put_training(Pass& pass, const void* inputs, const void* targets) {
        const bool staged = inputs == nullptr;
        if (staged && (!feed || !feed->holds() || pass.plan.batch != staged_n))
            throw Error(ErrorCode::internal, "a batch was to be there that nobody has staged",
                        "executor");
        if (!feed) return put(pass, inputs, targets);
        if (!staged) fill_feed(pass, inputs, targets);
        take_from_feed(pass);
    }

    // A batch that is staged for training stays where it is.
    void put_evaluation(Pass& pass, const void* inputs, const void* targets) {
        if (!feed || feed->holds()) return put(pass, inputs, targets);
        fill_feed(pass, inputs, targets);
        take_from_feed(pass);
    }

    void run(Pass& pass, const void* inputs) {
        put(pass, inputs, nullptr);
        pass.code->run({});
    }

    static void* address(const Pass& pass, ops::ValueId id) {
        return pass.addresses[static_cast<std::size_t>(id)];
    }

    // What is computed from the weights has to follow them.
    void refresh() {
        if (const auto it = passes.find({Mode::refresh, no_batch}); it != passes.end())
            it->second->code->run({});
    }

    bool is_finite(const Pass& pass, ops::ValueId id) {
        const ops::Value& value = pass.plan.program[id];
        std::vector<std::byte> bytes(value.bytes());
        device->copy_out(bytes.data(), address(pass, id), bytes.size());
        return all_finite(bytes.data(), value.dtype, value.shape.elements());
    }

    std::unique_ptr<device::Arena> arena;
    std::size_t scratch_at = 0, kept_in_arena = 0;  // in the arena's workspace
    std::int64_t window_samples = 0;                // of the micro-batches since the last update
    std::unique_ptr<ops::Feed> feed;  // null where copies to the device are done at once
    std::int64_t staged_n = 0;        // samples that the feed holds
    EvaluationFigures evaluations;
    std::optional<UpdateFigures> figures;  // where it trains
    bool noted = false;                    // that passes cannot be recorded
};

Executor::Executor(Model model, const TrainingSetup* setup, const ExecutorOptions& options)
    : impl_(std::make_unique<Impl>(std::move(model), setup, options)) {}

Executor::~Executor() = default;

const Model& Executor::model() const {
    return impl_->model;
}
const ModelReport& Executor::report() const {
    return impl_->report;
}
const StateLayout& Executor::state() const {
    return impl_->state;
}
const device::MemoryBudget& Executor::memory() const {
    return impl_->arena->budget();
}
const Plan& Executor::plan(Mode mode) const {
    return impl_->pass_for(mode, impl_->options.batch).plan;
}

std::vector<DeviceMemory> Executor::memory_by_device() const {
    const device::DeviceInfo& info = impl_->device->info();
    return {{info.id, memory(), info.description}};
}

std::vector<std::string> Executor::fusions() const {
    const Mode mode = impl_->options.training && impl_->setup ? Mode::train
                      : impl_->setup                          ? Mode::evaluate
                                                              : Mode::predict;
    return plan(mode).fusions;
}

void Executor::initialize(std::uint64_t seed) {
    device::Device& device = *impl_->device;
    for (std::size_t i = 0; i < impl_->state.variables.size(); ++i) {
        const VariablePlace& place = impl_->state.variables[i];
        const std::vector<float> values =
            initial_values(place.spec, seed, static_cast<std::uint32_t>(i));
        device.copy_in(impl_->arena->at(Category::weights, place.offset), values.data(),
                       values.size() * sizeof(float));
        device.synchronize();
    }
    device.fill_zero(impl_->arena->base(Category::optimizer), memory()[Category::optimizer]);
    impl_->refresh();
}

void Executor::accumulate(const void* inputs, const void* targets, std::int64_t n,
                          const ops::StepScalars& scalars) {
    if (!scalars.first_in_window && !(impl_->setup && impl_->setup->accumulates))
        throw Error(ErrorCode::internal, "this executor was not planned to accumulate gradients",
                    "executor");
    Pass& pass = impl_->pass_for(Mode::train, n);
    ops::StepScalars used = scalars;
    if (used.first_in_window) impl_->window_samples = 0;
    used.samples_before = impl_->window_samples;
    impl_->window_samples += n;
    impl_->put_training(pass, inputs, targets);
    pass.code->run(used);
}

bool Executor::stages() const {
    return impl_->feed != nullptr;
}

void Executor::stage(const void* inputs, const void* targets, std::int64_t n) {
    impl_->fill_feed(impl_->pass_for(Mode::train, n), inputs, targets);
    impl_->staged_n = n;
}

BatchResult Executor::window_sums() {
    const Pass& pass = *impl_->passes.at({Mode::update, no_batch});
    return impl_->figures->copy_window(Impl::address(pass, pass.plan.results));
}

std::string Executor::take_note() {
    if (impl_->queued == nullptr || impl_->noted) return {};
    for (const auto& [key, pass] : impl_->passes) {
        if (pass->code->refusal().empty()) continue;
        impl_->noted = true;
        return "Each op is launched by itself on " + impl_->device->info().id +
               ", which takes longer: they cannot be recorded as a CUDA graph (" +
               pass->code->refusal() + ")";
    }
    return {};
}

void Executor::begin_update(std::int64_t n, ops::StepScalars scalars) {
    Pass& pass = *impl_->passes.at({Mode::update, no_batch});
    scalars.gradient_scale =
        1.0 / (static_cast<double>(scalars.loss_scale) * static_cast<double>(n));
    pass.code->run(scalars);
    impl_->figures->queue(Impl::address(pass, pass.plan.results), n, scalars);
}

UpdateResult Executor::finish_update() {
    return impl_->figures->wait();
}

BatchResult Executor::evaluate(const void* inputs, const void* targets, std::int64_t n) {
    impl_->evaluations.require_none();
    begin_evaluate(inputs, targets, n);
    return finish_evaluate();
}

void Executor::begin_evaluate(const void* inputs, const void* targets, std::int64_t n) {
    Pass& pass = impl_->pass_for(Mode::evaluate, n);
    impl_->evaluations.require_room();
    impl_->put_evaluation(pass, inputs, targets);
    pass.code->run({});
    impl_->evaluations.queue(Impl::address(pass, pass.plan.loss));  // the metrics' are behind it
}

const BatchResult& Executor::finish_evaluate() {
    return impl_->evaluations.wait();
}

void Executor::predict(const void* inputs, std::int64_t n, float* outputs) {
    Pass& pass = impl_->pass_for(Mode::predict, n);
    impl_->run(pass, inputs);
    impl_->device->copy_out(outputs, Impl::address(pass, pass.plan.output),
                            pass.plan.program[pass.plan.output].bytes());
}

std::vector<HostTensor> Executor::snapshot(bool with_optimizer,
                                           std::vector<HostTensor> buffers) const {
    return copy_state(*impl_->arena, impl_->state, with_optimizer, std::move(buffers));
}

void Executor::restore(std::span<const HostTensor> tensors, bool all_required) {
    put_state(*impl_->arena, impl_->state, tensors, impl_->options.training && impl_->setup,
              all_required);
    impl_->refresh();
}

void Executor::keep_statistics() {
    if (const std::size_t bytes = impl_->kept_bytes(); bytes > 0)
        impl_->device->copy_to(*impl_->device, impl_->kept_statistics(), impl_->statistics(),
                               bytes);
}

void Executor::put_back_statistics() {
    if (const std::size_t bytes = impl_->kept_bytes(); bytes > 0)
        impl_->device->copy_to(*impl_->device, impl_->statistics(), impl_->kept_statistics(),
                               bytes);
}

std::vector<HostTensor> Executor::gradients() const {
    return copy_gradients(*impl_->arena, impl_->state);
}

std::vector<GradientNorm> Executor::gradient_norms(double scale) const {
    return norms_of_gradients(*impl_->arena, impl_->state, scale);
}

std::optional<NotFinite> Executor::find_not_finite(const void* inputs, const void* targets,
                                                   std::int64_t n,
                                                   const ops::StepScalars& scalars) {
    Pass& pass = impl_->pass_for(Mode::train, n);
    impl_->put(pass, inputs, targets);
    std::optional<NotFinite> found;
    pass.code->run(scalars, 0, pass.plan.program.ops.size(), [&](std::size_t i) {
        const ops::Op& op = pass.plan.program.ops[i];
        for (ops::ValueId id : op.outputs)
            if (!found && !impl_->is_finite(pass, id))
                found = NotFinite{op.layer, i >= pass.plan.backward_begin};
        return !found;
    });
    return found;
}

std::vector<LayerActivity> Executor::probe(const void* inputs, std::int64_t n) {
    n = std::min({n, impl_->options.batch, probe_batch});
    Pass& pass = impl_->pass_for(Mode::probe, n);
    impl_->run(pass, inputs);
    std::vector<LayerActivity> activities;
    for (const auto& [layer, output] : pass.plan.probes) {
        const ops::Value& value = pass.plan.program[output];
        std::vector<std::byte> bytes(value.bytes());
        impl_->device->copy_out(bytes.data(), Impl::address(pass, output), bytes.size());
        const std::int64_t units = value.shape[-1];
        activities.push_back(
            {layer, units,
             dead_columns(bytes.data(), value.dtype, value.shape.elements() / units, units), n});
    }
    return activities;
}

}  // namespace strata::graph
