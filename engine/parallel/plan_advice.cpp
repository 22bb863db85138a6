#include "engine/parallel/plan_advice.h"

#include <algorithm>
#include <set>

#include "engine/core/text.h"
#include "engine/graph/runtime.h"
#include "engine/io/file.h"
#include "engine/parallel/auto_placement.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

using device::Category;

constexpr double much_idle = 0.25;
constexpr double uneven = 1.1;        // of an equal share of the work
constexpr double worth_while = 0.95;  // of the time
constexpr int most_moved = 4, most_micro_batches = 64;
constexpr std::size_t most_pruned = 12;  // layers whose mark is tried to be spared

std::string percent(double share) {
    return fixed(100.0 * share, 0) + " %";
}

// Tries changes for one device that does not fit.
class Fixes {
public:
    Fixes(const PlanRequest& request, const PlacementPlan& plan, const DevicePlan& device)
        : request_(request), plan_(plan), device_(device) {}

    std::vector<PlanFix> all() {
        smaller_batch();
        more_micro_batches();
        half_precision();
        recompute();
        move_layers();
        shard();
        std::stable_sort(fixes_.begin(), fixes_.end(), [](const PlanFix& a, const PlanFix& b) {
            if (a.fits != b.fits) return a.fits;
            return a.fits ? a.slowdown < b.slowdown : a.bytes < b.bytes;
        });
        return std::move(fixes_);
    }

private:
    // Nothing where the change cannot be planned.
    std::optional<PlanFix> planned(const PlanChange& change, bool timed) const {
        try {
            const PlacementPlan plan = plan_placement(
                with_change(request_, change), {.time = timed && plan_.timed, .warnings = false});
            PlanFix fix;
            fix.change = change;
            fix.fits = true;
            for (const DevicePlan& device : plan.devices) {
                fix.fits = fix.fits && device.fits();
                if (device.device == device_.device) fix.bytes = device.memory.total();
            }
            if (plan.timed) fix.slowdown = plan.seconds_per_sample() / plan_.seconds_per_sample();
            return fix;
        } catch (const Error&) {
            return std::nullopt;
        }
    }

    bool fits(const PlanChange& change) const {
        const std::optional<PlanFix> fix = planned(change, false);
        return fix && fix->fits;
    }

    bool keep(const PlanChange& change, const std::string& text) {
        std::optional<PlanFix> fix = planned(change, true);
        if (!fix || fix->bytes >= device_.memory.total()) return false;
        fix->text = text;
        fixes_.push_back(std::move(*fix));
        return fixes_.back().fits;
    }

    std::int64_t batch_size() const { return request_.options.batch / request_.placement.replicas; }

    // Halved until it fits; of those that do not, only the smallest is told.
    void smaller_batch() {
        for (std::int64_t parts = 2; batch_size() / parts > 0; parts *= 2) {
            PlanChange change;
            change.batch_size = batch_size() / parts;
            change.accumulation = request_.accumulation * parts;
            const bool last = batch_size() / (2 * parts) == 0;
            if (!last && !fits(change)) continue;
            keep(change, "batch_size " + std::to_string(*change.batch_size) +
                             " with gradient_accumulation_steps " +
                             std::to_string(*change.accumulation));
            return;
        }
    }

    void more_micro_batches() {
        if (plan_.stages < 2) return;
        const std::int64_t most = std::min<std::int64_t>(batch_size(), most_micro_batches);
        for (std::int64_t m = 2 * request_.placement.micro_batches; m <= most; m *= 2) {
            PlanChange change;
            change.micro_batches = static_cast<int>(m);
            if (2 * m <= most && !fits(change)) continue;
            keep(change, "micro_batches " + std::to_string(m));
            return;
        }
    }

    void half_precision() {
        for (const char* policy : {"mixed_bfloat16", "mixed_float16"}) {
            if (request_.setup.precision == policy) continue;
            PlanChange change;
            change.precision = policy;
            keep(change, std::string("precision ") + policy);
        }
    }

    // All layers of the device; then as few as still fit.
    void recompute() {
        PlanChange change;
        for (const std::string& name : device_.layers)
            if (!request_.model.layer(name).recompute) change.recompute.push_back(name);
        if (change.recompute.empty()) return;
        if (fits(change) && change.recompute.size() <= most_pruned)
            for (std::size_t i = change.recompute.size(); i-- > 0;) {
                PlanChange fewer = change;
                fewer.recompute.erase(fewer.recompute.begin() + static_cast<std::ptrdiff_t>(i));
                if (!fewer.recompute.empty() && fits(fewer)) change = std::move(fewer);
            }
        std::string names;
        for (const std::string& name : change.recompute)
            names += (names.empty() ? "'" : ", '") + name + "'";
        keep(change, change.recompute.size() == device_.layers.size()
                         ? "recomputation of all its layers"
                         : "recomputation of " + names);
    }

    // The device's last layers to the next device, or its first ones to the one before.
    void move_layers() {
        if (plan_.devices.size() == 1) return use_another_device();
        if (plan_.replicas * plan_.stages < 2 || device_.replica != 0) return;
        for (const int step : {1, -1}) {
            const auto other =
                std::find_if(plan_.devices.begin(), plan_.devices.end(), [&](const DevicePlan& d) {
                    return d.replica == 0 && d.number == device_.number + step;
                });
            if (other == plan_.devices.end()) continue;
            PlanChange change;
            const auto count =
                std::min<int>(most_moved, static_cast<int>(device_.layers.size()) - 1);
            for (int i = 0; i < count; ++i) {
                const std::size_t place =
                    step > 0 ? device_.layers.size() - 1 - static_cast<std::size_t>(i)
                             : static_cast<std::size_t>(i);
                change.devices.emplace_back(device_.layers[place], other->device);
                if (!fits(change)) continue;
                keep(change, names_of(change) + " on " + other->device);
                break;
            }
        }
    }

    void use_another_device() {
        const std::size_t colon = device_.device.find(':');
        if (!device_.device.starts_with("cpu:")) return;
        AutoOptions options;
        options.devices = {
            device_.device,
            "cpu:" + std::to_string(std::stoi(device_.device.substr(colon + 1)) + 1)};
        options.replicas = 1;
        options.stages = 2;
        options.micro_batches = request_.placement.micro_batches;
        try {
            const AutoPlacement placed = place_automatically(request_, options);
            PlanChange change;
            for (const graph::LayerNode& node : placed.request.model.layers)
                if (node.device != device_.device)
                    change.devices.emplace_back(node.name, node.device);
            keep(change, names_of(change) + " on " + options.devices.back());
        } catch (const Error&) {
            return;  // two are not enough
        }
    }

    static std::string names_of(const PlanChange& change) {
        std::string names;
        for (const auto& [layer, to] : change.devices)
            names += (names.empty() ? "'" : ", '") + layer + "'";
        return names;
    }

    void shard() {
        if (plan_.replicas < 2 || request_.placement.sharded_optimizer) return;
        PlanChange change;
        change.sharded_optimizer = true;
        keep(change, "sharded_optimizer: each replica keeps a share of the optimizer's state");
    }

    const PlanRequest& request_;
    const PlacementPlan& plan_;
    const DevicePlan& device_;
    std::vector<PlanFix> fixes_;
};

PlanWarning misfit(const PlanRequest& request, const PlacementPlan& plan,
                   const DevicePlan& device) {
    PlanWarning warning;
    warning.device = device.device;
    const std::size_t total = device.memory.total();
    warning.too_much = total - device.memory_limit;
    std::size_t most = 0;
    for (std::size_t i = 0; i < device::category_count; ++i)
        if (device.memory.bytes[i] > device.memory.bytes[most]) most = i;
    warning.text = "needs " + io::byte_text(total) + ", " + io::byte_text(warning.too_much) +
                   " more than its " + io::byte_text(device.memory_limit) + "; " +
                   io::byte_text(device.memory.bytes[most]) + " of it are " +
                   device::name_of(static_cast<Category>(most));
    warning.fixes = Fixes(request, plan, device).all();
    return warning;
}

// More micro-batches shorten the time in which devices wait for the first and the last one.
std::optional<PlanWarning> idle_devices(const PlanRequest& request, const PlacementPlan& plan) {
    if (!plan.timed || plan.stages < 2 || plan.idle_share < much_idle) return std::nullopt;
    PlanWarning warning;
    warning.text = "the devices wait " + percent(plan.idle_share) +
                   " of a batch; equal stages would, by the formula, " +
                   percent(plan.idle_share_formula);
    const std::int64_t size = request.options.batch / request.placement.replicas;
    std::optional<PlanFix> best;
    for (std::int64_t m = 2; m <= std::min<std::int64_t>(size, most_micro_batches); m *= 2) {
        PlanChange change;
        change.micro_batches = static_cast<int>(m);
        try {
            const PlacementPlan other =
                plan_placement(with_change(request, change), {.time = true, .warnings = false});
            PlanFix fix;
            fix.text = "micro_batches " + std::to_string(m) + ": " + percent(other.idle_share);
            fix.change = change;
            fix.fits = std::all_of(other.devices.begin(), other.devices.end(),
                                   [](const DevicePlan& d) { return d.fits(); });
            fix.bytes = other.devices.front().memory.total();
            fix.slowdown = other.seconds_per_sample() / plan.seconds_per_sample();
            if (fix.fits && fix.slowdown < (best ? best->slowdown : worth_while))
                best = std::move(fix);
        } catch (const Error&) {
            continue;
        }
    }
    if (best) warning.fixes.push_back(std::move(*best));
    return warning;
}

// Where other cuts of the same devices are predicted to be faster, the cuts.
std::optional<PlanWarning> uneven_work(const PlanRequest& request, const PlacementPlan& plan) {
    if (!plan.timed || plan.stages < 2) return std::nullopt;
    const auto devices = std::count_if(plan.devices.begin(), plan.devices.end(),
                                       [](const DevicePlan& d) { return d.replica == 0; });
    const auto most = std::max_element(
        plan.devices.begin(), plan.devices.end(),
        [](const DevicePlan& a, const DevicePlan& b) { return a.work_share < b.work_share; });
    if (plan.stages != devices || most->work_share * static_cast<double>(devices) < uneven)
        return std::nullopt;
    AutoOptions options;
    for (const DevicePlan& device : plan.devices) options.devices.push_back(device.device);
    options.replicas = plan.replicas;
    options.stages = plan.stages;
    options.micro_batches = plan.micro_batches;
    PlanWarning warning;
    try {
        const AutoPlacement better = place_automatically(request, options);
        PlanFix fix;
        fix.slowdown = better.plan.seconds_per_sample() / plan.seconds_per_sample();
        if (fix.slowdown > worth_while) return std::nullopt;
        for (std::size_t i = 0; i < request.model.layers.size(); ++i)
            if (const std::string& to = better.request.model.layers[i].device;
                to != request.model.layers[i].device)
                fix.change.devices.emplace_back(request.model.layers[i].name, to);
        for (const std::string& reason : better.reasons)
            fix.text += (fix.text.empty() ? "" : "; ") + reason;
        fix.fits = true;
        for (const DevicePlan& device : better.plan.devices)
            if (device.device == most->device) fix.bytes = device.memory.total();
        warning.fixes.push_back(std::move(fix));
    } catch (const Error&) {
        return std::nullopt;
    }
    warning.device = most->device;
    warning.text = "does " + percent(most->work_share) + " of the work of " +
                   std::to_string(devices) + " devices; other places balance them better";
    return warning;
}

std::optional<PlanWarning> shared_cores(const PlanRequest& request, const PlacementPlan& plan) {
    const auto cores = static_cast<int>(usable_cores().size());
    const auto devices = static_cast<int>(
        std::count_if(plan.devices.begin(), plan.devices.end(),
                      [](const DevicePlan& d) { return d.device.starts_with("cpu:"); }));
    const int threads = devices * std::max(request.placement.threads, 1);
    if (devices < 2 || threads <= cores) return std::nullopt;
    PlanWarning warning;
    warning.text = std::to_string(devices) + " CPU devices with " + std::to_string(threads) +
                   " threads share " + std::to_string(cores) + (cores == 1 ? " core" : " cores") +
                   " and take turns there";
    return warning;
}

// CPU devices all count on the machine's memory.
std::optional<PlanWarning> shared_memory(const PlacementPlan& plan) {
    std::size_t all = 0, machine = 0;
    for (const DevicePlan& device : plan.devices)
        if (device.device.starts_with("cpu:")) all += device.memory.total();
    for (const device::DeviceInfo& info : graph::runtime().devices())
        if (info.id.starts_with("cpu:")) machine = std::max(machine, info.memory);
    if (plan.devices.size() < 2 || machine == 0 || all <= machine) return std::nullopt;
    PlanWarning warning;
    warning.text = "the CPU devices together need " + io::byte_text(all) + ", the machine has " +
                   io::byte_text(machine);
    warning.too_much = all - machine;
    return warning;
}

}  // namespace

std::vector<PlanWarning> warnings_of(const PlanRequest& request, const PlacementPlan& plan) {
    std::vector<PlanWarning> warnings;
    std::set<std::pair<int, std::size_t>> told;  // replicas are alike
    for (const DevicePlan& device : plan.devices)
        if (!device.fits() && told.insert({device.number, device.memory_limit}).second)
            warnings.push_back(misfit(request, plan, device));
    for (auto& warning : {uneven_work(request, plan), idle_devices(request, plan),
                          shared_cores(request, plan), shared_memory(plan)})
        if (warning) warnings.push_back(*warning);
    return warnings;
}

void set_batch(PlanRequest& request, std::int64_t batch) {
    if (batch == request.options.batch) return;
    for (std::int64_t& other : request.options.other_batches)
        if (other > 0) other = other % batch == 0 ? batch : other % batch;
    request.options.batch = batch;
}

PlanRequest with_change(PlanRequest request, const PlanChange& change) {
    if (change.batch_size) set_batch(request, *change.batch_size * request.placement.replicas);
    if (change.accumulation) {
        request.accumulation = *change.accumulation;
        request.setup.accumulates = *change.accumulation > 1;
    }
    if (change.precision) request.setup.precision = *change.precision;
    if (change.micro_batches) request.placement.micro_batches = *change.micro_batches;
    if (change.sharded_optimizer) request.placement.sharded_optimizer = *change.sharded_optimizer;
    for (graph::LayerNode& node : request.model.layers) {
        if (std::find(change.recompute.begin(), change.recompute.end(), node.name) !=
            change.recompute.end())
            node.recompute = true;
        for (const auto& [layer, device] : change.devices)
            if (layer == node.name) node.device = device;
    }
    return request;
}

}  // namespace strata::parallel
