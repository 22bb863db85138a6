#include "engine/parallel/auto_placement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/io/file.h"
#include "engine/parallel/auto_reasons.h"
#include "engine/parallel/layer_costs.h"
#include "engine/parallel/more_devices.h"
#include "engine/parallel/partition.h"
#include "engine/parallel/placement_rules.h"

namespace strata::parallel {
namespace {

constexpr int memory_rounds = 8;    // of planning with what the round before has found
constexpr double told_apart = 1.1;  // nearer times are the same for a measurement
constexpr int micro_steps[] = {2, 4, 8, 16};

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::size_t lacking(const DevicePlan& device) {
    return device.fits() ? 0 : device.memory.total() - device.memory_limit;
}

bool is_usual(const std::vector<std::string>& devices) {
    const std::string kind = devices.front().substr(0, devices.front().find(':') + 1);
    for (std::size_t i = 0; i < devices.size(); ++i)
        if (devices[i] != kind + std::to_string(i)) return false;
    return true;
}

class Chooser {
public:
    Chooser(const PlanRequest& request, const AutoOptions& options)
        : base_(request), options_(options), report_(graph::require_valid(request.model)) {
        const int before = std::max(request.placement.replicas, 1);
        batch_size_ = std::max<std::int64_t>(request.options.batch / before, 1);
    }

    AutoPlacement run() {
        const std::vector<Way> all = ways();
        if (all.empty()) throw no_way();
        std::vector<Weighed> weighed;
        std::optional<PlacedWay> nearest;
        for (const Way& way : all) {
            Weighed one{{way.replicas, way.stages, way.micro_batches, 0.0, false, ""}, {}};
            one.placed = place(way, one.candidate.text);
            if (one.placed) {
                one.candidate.seconds_per_sample = one.placed->plan.seconds_per_sample();
                one.candidate.fits = one.placed->fits();
                one.candidate.text = in_words(one.placed->way);
                if (!one.candidate.fits) keep_nearer(nearest, std::move(*one.placed));
            }
            weighed.push_back(std::move(one));
        }
        std::stable_sort(weighed.begin(), weighed.end(), [](const Weighed& a, const Weighed& b) {
            if (a.candidate.fits != b.candidate.fits) return a.candidate.fits;
            return a.candidate.fits &&
                   a.candidate.seconds_per_sample < b.candidate.seconds_per_sample;
        });
        if (!weighed.front().candidate.fits) throw misfit(nearest, hint_of_misfit());
        const auto simplest = simplest_of_the_quickest(weighed);
        std::rotate(weighed.begin(), simplest, simplest + 1);
        AutoPlacement chosen;
        for (const Weighed& one : weighed) chosen.candidates.push_back(one.candidate);
        PlacedWay& best = *weighed.front().placed;
        chosen.reasons = reasons_of(best, chosen.candidates, report_, batch_size_);
        chosen.request = std::move(best.request);
        chosen.plan = std::move(best.plan);
        return chosen;
    }

private:
    struct Weighed {
        AutoCandidate candidate;
        std::optional<PlacedWay> placed;
    };

    // Of the ways, the quickest first, that a measurement hardly tells from the quickest.
    static std::vector<Weighed>::iterator simplest_of_the_quickest(std::vector<Weighed>& weighed) {
        const double most = told_apart * weighed.front().candidate.seconds_per_sample;
        auto simplest = weighed.begin();
        for (auto it = weighed.begin() + 1; it != weighed.end(); ++it) {
            if (!it->candidate.fits || it->candidate.seconds_per_sample > most) break;
            if (effort(it->candidate) < effort(simplest->candidate)) simplest = it;
        }
        return simplest;
    }

    // Fewer devices are simpler, then fewer stages, then fewer micro-batches.
    static std::array<int, 3> effort(const AutoCandidate& way) {
        return {way.replicas * way.stages, way.stages, way.micro_batches};
    }

    // ---- what is tried

    std::vector<Way> ways() const {
        const int devices = static_cast<int>(options_.devices.size());
        std::vector<Way> all;
        for (int replicas = 1; replicas <= devices; ++replicas)
            for (int stages = 1; replicas * stages <= devices; ++stages) {
                if (options_.replicas > 0 && replicas != options_.replicas) continue;
                if (options_.stages > 0 && stages != options_.stages) continue;
                if (stages > static_cast<int>(report_.order.size())) continue;
                for (int m : micro_batches(stages)) all.push_back({replicas, stages, m});
            }
        return all;
    }

    std::vector<int> micro_batches(int stages) const {
        if (options_.micro_batches > 0) return {options_.micro_batches};
        if (stages == 1) return {1};
        std::vector<int> counts;
        for (int m : micro_steps)
            if (m <= batch_size_) counts.push_back(m);
        if (counts.empty()) counts.push_back(1);
        return counts;
    }

    Error no_way() const {
        const auto layers = std::ssize(report_.order);
        if (options_.stages > layers)
            return {ErrorCode::invalid_argument,
                    "a model of " + counted(layers, "layer") + " has no " +
                        counted(options_.stages, "stage"),
                    "devices", "Ask for fewer stages"};
        return {ErrorCode::invalid_argument,
                "no placement has " + counted(std::max(options_.replicas, 1), "replica") +
                    (options_.stages > 0 ? " of " + counted(options_.stages, "stage") : "") +
                    " on " + counted(std::ssize(options_.devices), "device"),
                "devices", "Name more devices, or ask for fewer replicas or stages"};
    }

    // ---- one way

    std::vector<std::string> devices_of(const Way& way) const {
        return {options_.devices.begin(), options_.devices.begin() + way.replicas * way.stages};
    }

    PlanRequest placed(const Way& way, const std::vector<int>& order, const Cuts& cuts) const {
        PlanRequest request = base_;
        const std::vector<std::string> devices = devices_of(way);
        for (std::size_t place = 0; place < order.size(); ++place) {
            const auto stage =
                std::upper_bound(cuts.begin(), cuts.end(), static_cast<int>(place)) - cuts.begin();
            request.model.layers[at(order[place])].device =
                devices[at(static_cast<int>(stage) - 1)];
        }
        request.placement.replicas = way.replicas;
        request.placement.micro_batches = way.micro_batches;
        request.placement.devices = devices;
        // The usual numbers need no list.
        if (is_usual(devices) || (way.replicas == 1 && way.stages > 1))
            request.placement.devices.clear();
        request.options.device = devices.front();
        if (way.stages > 1 && (request.placement.schedule == ScheduleKind::naive ||
                               request.placement.schedule == ScheduleKind::interleaved))
            request.placement.schedule = ScheduleKind::one_f_one_b;
        set_batch(request, batch_size_ * way.replicas);
        return request;
    }

    StageLimits unlimited(const Way& way) const {
        const bool all = base_.placement.schedule == ScheduleKind::gpipe;
        StageLimits limits;
        for (int stage = 0; stage < way.stages; ++stage)
            limits.in_flight.push_back(all ? way.micro_batches
                                           : std::min(way.micro_batches, way.stages - stage));
        return limits;
    }

    // Estimates of bytes choose the cuts, plans decide: where a plan needs more than was estimated,
    // its device gets less to fill and the cuts are chosen again.
    std::optional<PlacedWay> place(const Way& way, std::string& why_not) const {
        PlacedWay found;
        found.way = way;
        found.order = report_.order;
        found.costs = layer_costs(base_, report_, devices_of(way), way.replicas, way.micro_batches,
                                  batch_size_);
        StageLimits limits = unlimited(way);
        std::optional<PlacedWay> nearest;
        const auto fits_with = [&](const std::optional<Cuts>& cuts) {
            if (!cuts) return false;
            found.cuts = *cuts;
            found.request = placed(way, found.order, found.cuts);
            found.plan = plan_placement(found.request, {.time = true, .warnings = false});
            found.limited = nearest.has_value();
            if (!nearest || excess(found.plan) < excess(nearest->plan)) nearest = found;
            return found.fits();
        };
        for (int round = 0; round < memory_rounds + way.stages; ++round) {
            const std::optional<Cuts> cuts = partition(found.costs, way.micro_batches, limits);
            if (fits_with(cuts)) return found;
            if (!cuts) break;
            tighten(found, limits);
        }
        if (nearest && way.stages > 1 && fits_with(partition_bytes(found.costs, limits.in_flight)))
            return found;
        if (!nearest)
            why_not = "there are no " + counted(way.stages, "stage") +
                      " that follow each other in this model";
        return nearest;
    }

    static std::size_t excess(const PlacementPlan& plan) {
        std::size_t bytes = 0;
        for (const DevicePlan& device : plan.devices) bytes = std::max(bytes, lacking(device));
        return bytes;
    }

    // A plan that is too large rules its own stage out, whatever the estimate; one that fits says
    // nothing of a larger stage, of which the estimate may be nearer.
    static void tighten(const PlacedWay& found, StageLimits& limits) {
        limits.bytes.resize(at(found.way.stages), 0.0);
        for (const DevicePlan& device : found.plan.devices) {
            if (device.memory_limit == 0) continue;
            const int stage = device.number;
            const int end =
                stage + 1 < found.way.stages ? found.cuts[at(stage + 1)] : found.costs.layers();
            const double estimate =
                stage_bytes(found.costs, found.cuts[at(stage)], end, limits.in_flight[at(stage)]);
            const double allowed = static_cast<double>(device.memory_limit) * estimate /
                                   static_cast<double>(device.memory.total());
            double& now = limits.bytes[at(stage)];
            if (!device.fits())
                now = std::min(allowed, std::nextafter(estimate, 0.0));
            else if (now > 0.0 && device.replica == 0)
                now = std::max(now, allowed);
        }
    }

    static void keep_nearer(std::optional<PlacedWay>& nearest, PlacedWay&& placed) {
        if (!nearest || excess(placed.plan) < excess(nearest->plan)) nearest = std::move(placed);
    }

    std::string hint_of_misfit() const {
        const std::string less = "se a smaller batch_size, mixed precision or recomputation";
        if (!options_.suggests || options_.stages > 0) return "U" + less + ", or more devices";
        const std::optional<AutoPlacement> more = place_on_more_devices(base_, options_);
        if (!more) return "U" + less;
        return "It fits on " + counted(std::ssize(more->plan.devices), "device") +
               "; for fewer, u" + less;
    }

    static Error misfit(const std::optional<PlacedWay>& nearest, const std::string& hint) {
        if (!nearest)
            return {ErrorCode::invalid_argument, "these devices cannot be the stages of this model",
                    "devices", "Ask for fewer stages"};
        const auto& devices = nearest->plan.devices;
        const auto worst = std::max_element(
            devices.begin(), devices.end(),
            [](const DevicePlan& a, const DevicePlan& b) { return lacking(a) < lacking(b); });
        return {ErrorCode::out_of_memory,
                "no placement fits: the nearest, " + in_words(nearest->way) + ", needs " +
                    io::byte_text(worst->memory.total()) + " of the " +
                    io::byte_text(worst->memory_limit) + " there",
                worst->device, hint};
    }

    const PlanRequest& base_;
    const AutoOptions& options_;
    graph::ModelReport report_;
    std::int64_t batch_size_ = 1;  // of a replica
};

}  // namespace

AutoPlacement place_automatically(const PlanRequest& request, const AutoOptions& options) {
    if (options.devices.empty())
        throw Error(ErrorCode::invalid_argument, "no devices are named", "devices",
                    "For example cpu:0,cpu:1");
    require_each_once(options.devices, "devices", "Name each device once");
    return Chooser(request, options).run();
}

}  // namespace strata::parallel
