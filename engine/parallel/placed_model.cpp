#include "engine/parallel/placed_model.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/parallel/placement_rules.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

using graph::Mode;
using graph::Plan;

constexpr std::size_t elements_in_cache = 131072;  // 512 KiB, for each thread

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::int64_t part_begin(std::int64_t n, int parts, int part) {
    return n / parts * part + std::min<std::int64_t>(n % parts, part);
}

}  // namespace

PlacedModel::PlacedModel(graph::Model model, const graph::TrainingSetup* setup,
                         const graph::ExecutorOptions& options, const PlacementOptions& placement,
                         bool allocates, ProcessPlace process)
    : model_(std::move(model)), options_(options), placement_(placement), process_(process) {
    report_ = graph::require_valid(model_);
    if (setup != nullptr) setup_ = *setup;
    if (placement_.micro_batches > 1 && setup_) setup_->accumulates = true;
    stages_ = find_stages(model_, report_);
    make_schedule_for(placement_.micro_batches);
    state_ = graph::lay_out_state(model_, report_, training_setup());
    choose_devices();
    make_parts();
    plan_ahead();
    if (allocates) place();
}

const graph::TrainingSetup* PlacedModel::training_setup() const {
    return setup_ && options_.training ? &*setup_ : nullptr;
}

int PlacedModel::device_of(int stage) const {
    return stages_.graph.device[at(stage)];
}

// ---- devices

void PlacedModel::choose_devices() {
    if (placement_.replicas < 1)
        throw Error(ErrorCode::invalid_argument, "is less than 1", "placement.replicas",
                    "Set the number of copies of the model, 1 or more");
    devices_ = placement_.devices;
    for (const std::string& device : devices_) require_device_name(device, "placement.devices");
    if (devices_.empty()) devices_ = devices_of_replicas(stages_.devices, placement_.replicas);
    const int wanted = placement_.replicas * devices();
    if (static_cast<int>(devices_.size()) != wanted)
        throw Error(ErrorCode::invalid_argument,
                    "names " + counted(std::ssize(devices_), "device") + " for " +
                        counted(placement_.replicas, "replica") + " of " +
                        counted(devices(), "device") + (placement_.replicas > 1 ? " each" : ""),
                    "placement.devices", "Give it a list of " + counted(wanted, "device"));
    require_each_once(devices_, "placement.devices",
                      "Give each part of each replica a device of its own");
    require_one_kind();
}

// The copies of a device add up in shared memory or in a group of their kind.
void PlacedModel::require_one_kind() const {
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        const std::string& first = devices_[i % at(devices())];
        if (device_kind(devices_[i]) == device_kind(first)) continue;
        throw Error(
            ErrorCode::unsupported,
            "replicas of the same layers are on '" + first + "' and on '" + devices_[i] + "'",
            "placement.devices", "Give the same part of each replica a device of the same kind");
    }
}

int PlacedModel::threads_of_each() const {
    if (placement_.threads > 0) return placement_.threads;
    const auto all = static_cast<int>(usable_cores().size());
    const auto cpus =
        static_cast<int>(std::count_if(devices_.begin(), devices_.end(), [](const auto& device) {
            return device_kind(device) == "cpu";
        }));
    return std::max(1, all / std::max(1, cpus));
}

// Only where the devices take all cores: a run that leaves some free must not sit on those that
// another run has taken.
std::vector<std::vector<int>> PlacedModel::cores() const {
    std::vector<std::vector<int>> cores(devices_.size());
    const auto each = static_cast<std::size_t>(threads_of_each());
    const std::vector<int> usable = usable_cores();
    const bool with_others = std::any_of(devices_.begin(), devices_.end(), [](const auto& device) {
        return device_kind(device) != "cpu";
    });
    if (!placement_.pinned || devices_.size() < 2 || with_others ||
        each * devices_.size() != usable.size())
        return cores;
    for (std::size_t k = 0; k < usable.size(); ++k) cores[k / each].push_back(usable[k]);
    return cores;
}

void PlacedModel::make_parts() {
    device::DeviceOptions device_options = options_.device_options;
    if (device_options.threads == 0) device_options.threads = threads_of_each();
    const auto slots = [this](int stage, const Plan& plan) { return slot_counts(stage, plan); };
    const std::vector<int>& device_of_stage = stages_.graph.device;
    for (int r = 0; r < placement_.replicas; ++r) {
        auto& replica = parts_.emplace_back();
        for (int d = 0; d < devices(); ++d) {
            std::vector<bool> own(model_.layers.size());
            for (std::size_t layer = 0; layer < own.size(); ++layer)
                own[layer] = device_of(stages_.of_layer[layer]) == d;
            const auto stages = std::count(device_of_stage.begin(), device_of_stage.end(), d);
            const std::string& device = devices_[at(r * devices() + d)];
            device::DeviceOptions limited = device_options;
            if (const std::size_t limit = placement_.memory_limit(device); limit > 0)
                limited.memory_limit = limit;
            try {
                replica.push_back(std::make_unique<DevicePart>(
                    device, limited, graph::lay_out_state(model_, report_, training_setup(), &own),
                    static_cast<int>(stages), slots));
            } catch (const Error& error) {
                throw at_its_name(error, model_, placement_);
            }
        }
    }
}

void PlacedModel::place() {
    for (auto& replica : parts_)
        for (auto& part : replica) part->place();
}

// ---- schedules

// What is kept for the backward pass needs a slot for each micro-batch that the stage has in
// flight. A sender has at most as many outputs under way as it has micro-batches in flight itself:
// before it begins another, its reader has passed one back.
std::vector<int> PlacedModel::slot_counts(int stage, const Plan& plan) const {
    std::vector<int> counts{in_flight(stage)};
    for (const graph::Port& port : plan.received) counts.push_back(in_flight(port.stage));
    return counts;
}

// The largest number comes first and decides the slots; a short batch that would need more of them,
// or that cannot be interleaved, goes through the stages one micro-batch at a time.
void PlacedModel::make_schedule_for(int micro_batches) {
    if (schedules_.contains(micro_batches)) return;
    ScheduleKind kind = placement_.schedule;
    const bool interleaves = micro_batches % stages_.graph.devices() == 0;
    if (kind == ScheduleKind::interleaved && !schedules_.empty() && !interleaves)
        kind = ScheduleKind::naive;
    Schedule schedule = make_schedule(kind, stages_.graph, micro_batches);
    const std::vector<int> needed = micro_batches_in_flight(schedule, stages_.graph.stages());
    if (in_flight_.empty()) {
        in_flight_ = needed;
    } else if (!std::equal(needed.begin(), needed.end(), in_flight_.begin(),
                           [](int a, int b) { return a <= b; })) {
        schedule = make_schedule(ScheduleKind::naive, stages_.graph, micro_batches);
    }
    schedules_[micro_batches] = std::move(schedule);
}

// ---- planning

void PlacedModel::plan_ahead() {
    std::set<std::int64_t> batches(options_.other_batches.begin(), options_.other_batches.end());
    batches.erase(0);
    batches.insert(options_.batch);
    for (std::int64_t n : batches) {
        if (training_setup() != nullptr) plan_for(Mode::train, n);
        plan_for(setup_ ? Mode::evaluate : Mode::predict, n);
    }
    share_gradients();
    plan_update();
}

std::vector<StagePlan> PlacedModel::training_plans(int device, std::int64_t size) const {
    std::vector<StagePlan> plans;
    for (int stage = 0; stage < stages_.graph.stages(); ++stage)
        if (device_of(stage) == device)
            plans.push_back({stage, &part(0, device).plan(stage, Mode::train, size)});
    return plans;
}

// All sizes of micro-batches have the same buckets: those of the largest.
void PlacedModel::share_gradients() {
    buckets_.resize(at(devices()));
    if (training_setup() == nullptr) return;
    sharded_ = placement_.sharded_optimizer && !setup_->clip_by_variable &&
               placement_.replicas * process_.size > 1;
    const std::int64_t largest = usual_size();
    for (int d = 0; d < devices(); ++d) {
        const graph::StateLayout& state = part(0, d).state();
        buckets_[at(d)] = make_buckets(state, training_plans(d, largest), smallest_bucket(state));
        for (int r = 0; sharded_ && r < placement_.replicas; ++r) own_shares(r, d);
    }
}

// On a CPU in parts that stay in a cache while one step after the other works on them.
void PlacedModel::own_shares(int replica, int device) {
    DevicePart& own = part(replica, device);
    const std::size_t most =
        own.backend().has_groups()
            ? std::numeric_limits<std::size_t>::max()
            : elements_in_cache * at(std::max(1, own.device().options().threads));
    std::vector<ops::Segment> owned;
    std::vector<std::size_t>& begins = owned_begins_[{replica, device}];
    for (const Bucket& bucket : buckets_[at(device)]) {
        begins.push_back(owned.size());
        const Share share =
            share_of_bucket(bucket, replica, placement_.replicas, process_.rank, process_.size);
        for (std::size_t begin = share.begin; begin < share.end;) {
            const std::size_t count = std::min(most, share.end - begin);
            owned.push_back({static_cast<std::int64_t>(begin), static_cast<std::int64_t>(count)});
            begin += count;
        }
    }
    begins.push_back(owned.size());
    own.own(std::move(owned));
}

std::pair<std::size_t, std::size_t> PlacedModel::owned_of_bucket(int replica, int device,
                                                                 std::size_t bucket) const {
    const std::vector<std::size_t>& begins = owned_begins_.at({replica, device});
    return {begins[bucket], begins[bucket + 1]};
}

std::vector<Share> PlacedModel::added_by_stages(int device) const {
    std::vector<Share> parts;
    for (const graph::VariablePlace& place : part(0, device).state().variables) {
        if (!place.spec.trainable || !graph::is_made_by_several(place, stages_.of_layer)) continue;
        const std::size_t begin = place.offset / sizeof(float);
        parts.push_back({begin, begin + static_cast<std::size_t>(place.spec.shape.elements())});
    }
    return parts;
}

void PlacedModel::plan_update() {
    if (!setup_) return;
    for (auto& replica : parts_)
        for (auto& part : replica)
            for (Mode mode : {Mode::refresh, Mode::update})
                if (mode == Mode::refresh || options_.training)
                    part->add(DevicePart::no_stage,
                              graph::make_plan(model_, report_, part->state(), &*setup_, mode,
                                               graph::no_batch, options_.input_dtype),
                              1);
}

std::int64_t PlacedModel::first_sample(std::int64_t n, int replica) const {
    return part_begin(n, placement_.replicas, replica);
}

std::vector<std::int64_t> PlacedModel::sizes(std::int64_t n, int replica) const {
    const std::int64_t own = first_sample(n, replica + 1) - first_sample(n, replica);
    const auto count = static_cast<int>(std::min<std::int64_t>(own, placement_.micro_batches));
    std::vector<std::int64_t> sizes;
    sizes.reserve(at(count));
    for (int m = 0; m < count; ++m)
        sizes.push_back(part_begin(own, count, m + 1) - part_begin(own, count, m));
    return sizes;
}

std::int64_t PlacedModel::usual_size() const {
    return sizes(options_.batch, 0).front();
}

bool PlacedModel::has_several_kinds() const {
    for (int d = 1; d < devices(); ++d)
        if (&part(0, d).backend() != &part(0, 0).backend()) return true;
    return false;
}

bool PlacedModel::is_planned(Mode mode, std::int64_t n) const {
    for (int r = 0; r < placement_.replicas; ++r)
        for (const std::int64_t size : sizes(n, r))
            if (!part(0, device_of(0)).has(0, mode, size)) return false;
    return true;
}

// True where something was added.
bool PlacedModel::plan_for(Mode mode, std::int64_t n) {
    std::set<std::int64_t> wanted;
    for (int r = 0; r < placement_.replicas; ++r) {
        const std::vector<std::int64_t> own = sizes(n, r);
        if (!own.empty()) make_schedule_for(static_cast<int>(own.size()));
        wanted.insert(own.begin(), own.end());
    }
    bool added = false;
    for (std::int64_t size : wanted) {
        if (part(0, device_of(0)).has(0, mode, size)) continue;
        plan_stages(mode, size);
        added = true;
    }
    return added;
}

void PlacedModel::note_synchronized(const Plan& plan) {
    for (const ops::Op& op : plan.program.ops) {
        const auto* norm = std::get_if<ops::BatchNormTraining>(&op.attributes);
        if (norm != nullptr && norm->synchronized && placement_.replicas * process_.size > 1)
            synchronizes_ = true;
    }
}

void PlacedModel::plan_stages(Mode mode, std::int64_t size) {
    graph::StageCut cut;
    cut.stage = stages_.of_layer;
    cut.output_types.assign(model_.layers.size(), DType::float32);
    for (int stage = 0; stage < stages_.graph.stages(); ++stage) {
        cut.own = stage;
        for (int r = 0; r < placement_.replicas; ++r) {
            DevicePart& own = part(r, device_of(stage));
            Plan plan = graph::make_plan(model_, report_, own.state(), setup(), mode, size,
                                         options_.input_dtype, &cut);
            for (const graph::Port& port : plan.sent)
                cut.output_types[at(port.layer)] = plan.program[port.value].dtype;
            note_synchronized(plan);
            fusions_.insert(plan.fusions.begin(), plan.fusions.end());
            own.add(stage, std::move(plan), placement_.micro_batches);
        }
    }
}

void PlacedModel::find_completions(std::int64_t size) {
    for (int d = 0; d < devices(); ++d)
        for (const StagePlan& stage : training_plans(d, size))
            completions_[{stage.stage, size}] =
                completions(part(0, d).state(), stage, buckets_[at(d)]);
}

void PlacedModel::require_planned(Mode mode, std::int64_t n) {
    if (mode != Mode::predict && !setup_)
        throw Error(ErrorCode::internal, "an executor without a loss can only predict", "executor");
    if (n == 0 && mode == Mode::train) return;
    if (n < 1 || n > options_.batch)
        throw Error(ErrorCode::invalid_argument, "a batch of " + counted(n, "sample"), "batch",
                    "This executor was planned for 1 to " + std::to_string(options_.batch));
    if (plan_for(mode, n)) place();
    for (int r = 0; mode == Mode::train && r < placement_.replicas; ++r)
        for (std::int64_t size : sizes(n, r))
            if (!completions_.contains({0, size})) find_completions(size);
}

}  // namespace strata::parallel
