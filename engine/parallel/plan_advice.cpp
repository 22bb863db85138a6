#include "engine/parallel/plan_advice.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/graph/batch_statistics.h"
#include "engine/graph/runtime.h"
#include "engine/io/file.h"
#include "engine/parallel/auto_placement.h"
#include "engine/parallel/placement_rules.h"
#include "engine/parallel/plan_fixes.h"
#include "engine/parallel/workers.h"

namespace strata::parallel {
namespace {

using device::Category;

constexpr double much_idle = 0.25;
constexpr double uneven = 1.1;        // of an equal share of the work
constexpr double worth_while = 0.95;  // of the time

std::string percent(double share) {
    return fixed(100.0 * share, 0) + " %";
}

// Without its fixes.
PlanWarning misfit(const DevicePlan& device) {
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
    return warning;
}

// One of each device; what helps a device helps its replicas, too.
void add_misfits(const PlanRequest& request, const PlacementPlan& plan,
                 std::vector<PlanWarning>& warnings) {
    std::map<std::pair<int, std::size_t>, std::vector<PlanFix>> known;
    for (const DevicePlan& device : plan.devices) {
        if (device.fits()) continue;
        const std::pair key{device.number, device.memory_limit};
        auto fixes = known.find(key);
        if (fixes == known.end()) fixes = known.emplace(key, fixes_of(request, plan, device)).first;
        warnings.push_back(misfit(device));
        warnings.back().fixes = fixes->second;
    }
}

// More micro-batches shorten the time in which devices wait for the first and the last one.
std::optional<PlanWarning> idle_devices(const PlanRequest& request, const PlacementPlan& plan) {
    if (!plan.timed || plan.stages < 2 || plan.idle_share < much_idle) return std::nullopt;
    PlanWarning warning;
    warning.text = "the devices wait " + percent(plan.idle_share) +
                   " of a batch; equal stages would, by the formula, " +
                   percent(plan.idle_share_formula);
    warning.idle_share = plan.idle_share;
    const std::int64_t size = request.options.batch / request.placement.replicas;
    std::optional<PlanFix> best;
    for (std::int64_t m = 2; m <= std::min(size, most_micro_batches); m *= 2) {
        PlanChange change;
        change.micro_batches = static_cast<int>(m);
        try {
            const PlacementPlan other =
                plan_placement(with_change(request, change), {.time = true, .warnings = false});
            PlanFix fix;
            fix.text = "micro_batches " + std::to_string(m) +
                       graph::note_of_statistics(request.model, (size + m - 1) / m,
                                                 request.placement.copies());
            fix.change = change;
            fix.fits = std::all_of(other.devices.begin(), other.devices.end(),
                                   [](const DevicePlan& d) { return d.fits(); });
            fix.bytes = other.devices.front().memory.total();
            fix.idle_share = other.idle_share;
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
                   counted(devices, "device") + "; other places balance them better";
    return warning;
}

std::string of_processes(const PlanRequest& request) {
    return request.sharing > 1 ? " of " + counted(request.sharing, "process", "processes") : "";
}

std::optional<PlanWarning> shared_cores(const PlanRequest& request, const PlacementPlan& plan) {
    const auto cores = static_cast<int>(usable_cores().size());
    int devices = 0, threads = 0;
    for (const DevicePlan& device : plan.devices)
        if (device.device.starts_with("cpu:")) {
            devices += request.sharing;
            threads += request.sharing * device.threads;
        }
    if (devices < 2 || threads <= cores) return std::nullopt;
    PlanWarning warning;
    warning.text = counted(devices, "CPU device") + of_processes(request) + " with " +
                   counted(threads, "thread") + " share " + counted(cores, "core") +
                   " and take turns there";
    return warning;
}

// CPU devices all count on the machine's memory.
std::optional<PlanWarning> shared_memory(const PlanRequest& request, const PlacementPlan& plan) {
    std::size_t all = 0, machine = 0, devices = 0;
    const auto sharing = static_cast<std::size_t>(request.sharing);
    for (const DevicePlan& device : plan.devices)
        if (device.device.starts_with("cpu:")) {
            all += sharing * device.memory.total();
            devices += sharing;
        }
    for (const device::DeviceInfo& info : graph::runtime().devices())
        if (info.id.starts_with("cpu:")) machine = std::max(machine, info.memory);
    if (devices < 2 || machine == 0 || all <= machine) return std::nullopt;
    PlanWarning warning;
    warning.text =
        (request.sharing == 1 ? "the CPU devices" : "the CPU devices" + of_processes(request)) +
        " together need " + io::byte_text(all) + ", the machine has " + io::byte_text(machine);
    warning.too_much = all - machine;
    return warning;
}

std::optional<PlanWarning> idle_limits(const PlanRequest& request, const PlacementPlan& plan) {
    std::vector<std::string> used;
    for (const DevicePlan& device : plan.devices) used.push_back(device.device);
    PlanWarning warning;
    warning.text = unused_limits(request.placement, used);
    if (warning.text.empty()) return std::nullopt;
    return warning;
}

std::optional<PlanWarning> empty_parts(const PlanRequest& request) {
    PlanWarning warning;
    warning.text =
        empty_micro_batches(request.placement, request.options.batch / request.placement.replicas);
    if (warning.text.empty()) return std::nullopt;
    return warning;
}

}  // namespace

std::vector<PlanWarning> warnings_of(const PlanRequest& request, const PlacementPlan& plan) {
    std::vector<PlanWarning> warnings;
    add_misfits(request, plan, warnings);
    for (auto& warning :
         {uneven_work(request, plan), idle_devices(request, plan), shared_cores(request, plan),
          shared_memory(request, plan), idle_limits(request, plan), empty_parts(request)})
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
