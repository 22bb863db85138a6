#include "engine/parallel/plan_fixes.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/core/error.h"
#include "engine/graph/batch_statistics.h"
#include "engine/parallel/more_devices.h"

namespace strata::parallel {
namespace {

constexpr int most_moved = 4;
constexpr std::size_t most_pruned = 12;  // layers whose mark is tried to be spared

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
                             std::to_string(*change.accumulation) +
                             note_of(*change.batch_size, request_.placement.micro_batches));
            return;
        }
    }

    std::string note_of(std::int64_t batch, std::int64_t micro_batches) const {
        return graph::note_of_statistics(request_.model,
                                         (batch + micro_batches - 1) / micro_batches,
                                         request_.placement.copies());
    }

    void more_micro_batches() {
        if (plan_.stages < 2) return;
        const std::int64_t most = std::min(batch_size(), most_micro_batches);
        for (std::int64_t m = 2 * request_.placement.micro_batches; m <= most; m *= 2) {
            PlanChange change;
            change.micro_batches = static_cast<int>(m);
            if (2 * m <= most && !fits(change)) continue;
            keep(change, "micro_batches " + std::to_string(m) + note_of(batch_size(), m));
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
        if (device_.replica != 0) return;
        bool enough = false;
        if (plan_.devices.size() > static_cast<std::size_t>(plan_.replicas))
            enough = move_to_neighbours();
        if (!enough) use_more_devices();
    }

    bool move_to_neighbours() {
        bool enough = false;
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
                enough = keep(change, names_of(change)) || enough;
                break;
            }
        }
        return enough;
    }

    // Replicas stand where counting brings them: a list of devices would have to grow with them.
    void use_more_devices() {
        AutoOptions options;
        for (const DevicePlan& device : plan_.devices) options.devices.push_back(device.device);
        options.replicas = plan_.replicas;
        options.micro_batches = request_.placement.micro_batches;
        const std::optional<AutoPlacement> placed = place_on_more_devices(request_, options);
        if (!placed) return;
        PlanChange change;
        for (const graph::LayerNode& node : placed->request.model.layers)
            if (node.device != request_.model.layer(node.name).device)
                change.devices.emplace_back(node.name, node.device);
        keep(change, names_of(change));
    }

    // "'a', 'b' on cpu:1, 'c' on cpu:2".
    static std::string names_of(const PlanChange& change) {
        std::map<std::string, std::string> names;
        for (const auto& [layer, to] : change.devices)
            names[to] += (names[to].empty() ? "'" : ", '") + layer + "'";
        std::string text;
        for (const auto& [device, layers] : names)
            text += (text.empty() ? "" : ", ") + layers + " on " + device;
        return text;
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

}  // namespace

std::vector<PlanFix> fixes_of(const PlanRequest& request, const PlacementPlan& plan,
                              const DevicePlan& device) {
    return Fixes(request, plan, device).all();
}

}  // namespace strata::parallel
