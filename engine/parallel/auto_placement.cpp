#include "engine/parallel/auto_placement.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/time_text.h"
#include "engine/io/file.h"
#include "engine/parallel/layer_costs.h"
#include "engine/parallel/more_devices.h"
#include "engine/parallel/partition.h"
#include "engine/parallel/placement_rules.h"

namespace strata::parallel {
namespace {

constexpr int memory_rounds = 8;   // of planning with what the round before has found
constexpr double much_more = 1.2;  // bytes over another cut
constexpr int micro_steps[] = {2, 4, 8, 16};

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::string percent(double share) {
    return fixed(100.0 * share, 0) + " %";
}

std::size_t lacking(const DevicePlan& device) {
    return device.fits() ? 0 : device.memory.total() - device.memory_limit;
}

struct Way {
    int replicas = 1, stages = 1, micro_batches = 1;
};

struct Found {
    Way way;
    PlanRequest request;
    PlacementPlan plan;
    LayerCosts costs;
    std::vector<int> order;  // the model's layers by place
    Cuts cuts;
    bool limited = false;  // memory has moved a cut

    bool fits() const {
        return std::all_of(plan.devices.begin(), plan.devices.end(),
                           [](const DevicePlan& d) { return d.fits(); });
    }
};

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
        AutoPlacement chosen;
        std::optional<Found> best, nearest;
        for (const Way& way : all) {
            AutoCandidate candidate{way.replicas, way.stages, way.micro_batches, 0.0, false, ""};
            std::optional<Found> found = place(way, candidate.text);
            if (found) {
                candidate.seconds_per_sample = found->plan.seconds_per_sample();
                candidate.fits = found->fits();
                candidate.text = in_words(*found);
                keep_better(candidate.fits ? best : nearest, *found, candidate.fits);
            }
            chosen.candidates.push_back(std::move(candidate));
        }
        if (!best) throw misfit(nearest, hint_of_misfit());
        std::stable_sort(chosen.candidates.begin(), chosen.candidates.end(),
                         [](const AutoCandidate& a, const AutoCandidate& b) {
                             if (a.fits != b.fits) return a.fits;
                             return a.fits && a.seconds_per_sample < b.seconds_per_sample;
                         });
        chosen.reasons = reasons(*best, chosen.candidates);
        chosen.request = std::move(best->request);
        chosen.plan = std::move(best->plan);
        return chosen;
    }

private:
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
        return {ErrorCode::invalid_argument,
                "no placement has " + counted(options_.replicas, "replica") +
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
    std::optional<Found> place(const Way& way, std::string& why_not) const {
        Found found;
        found.way = way;
        found.order = report_.order;
        found.costs = layer_costs(base_, report_, devices_of(way), way.replicas, way.micro_batches,
                                  batch_size_);
        StageLimits limits = unlimited(way);
        std::optional<Found> nearest;
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
    static void tighten(const Found& found, StageLimits& limits) {
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

    static void keep_better(std::optional<Found>& best, Found& found, bool fits) {
        const bool better =
            !best || (fits ? found.plan.seconds_per_sample() < best->plan.seconds_per_sample()
                           : excess(found.plan) < excess(best->plan));
        if (better) best = std::move(found);
    }

    std::string hint_of_misfit() const {
        const std::string less = "se a smaller batch_size, mixed precision or recomputation";
        if (!options_.suggests || options_.stages > 0) return "U" + less + ", or more devices";
        const std::optional<AutoPlacement> more = place_on_more_devices(base_, options_);
        if (!more) return "U" + less;
        return "It fits on " + counted(std::ssize(more->plan.devices), "device") +
               "; for fewer, u" + less;
    }

    static Error misfit(const std::optional<Found>& nearest, const std::string& hint) {
        if (!nearest)
            return {ErrorCode::invalid_argument, "these devices cannot be the stages of this model",
                    "devices", "Ask for fewer stages"};
        const auto& devices = nearest->plan.devices;
        const auto worst = std::max_element(
            devices.begin(), devices.end(),
            [](const DevicePlan& a, const DevicePlan& b) { return lacking(a) < lacking(b); });
        return {ErrorCode::out_of_memory,
                "no placement fits: the nearest, " + in_words(*nearest) + ", needs " +
                    io::byte_text(worst->memory.total()) + " of the " +
                    io::byte_text(worst->memory_limit) + " there",
                worst->device, hint};
    }

    // ---- words

    static std::string in_words(const Found& found) {
        const Way& way = found.way;
        if (way.replicas == 1 && way.stages == 1) return "one device";
        std::string text = counted(way.replicas, "replica") + " of " + counted(way.stages, "stage");
        if (way.micro_batches > 1)
            text += " with " + counted(way.micro_batches, "micro-batch", "micro-batches");
        return text;
    }

    std::vector<std::string> reasons(const Found& found,
                                     const std::vector<AutoCandidate>& all) const {
        std::vector<std::string> texts;
        if (all.size() > 1) {
            std::string text =
                in_words(found) + ": " + time_text(found.plan.seconds_per_sample()) + " a sample";
            for (const AutoCandidate& other : all) {
                if (other.seconds_per_sample <= 0.0 || !other.fits) continue;
                if (other.replicas == found.way.replicas && other.stages == found.way.stages)
                    continue;
                text += "; the best other way, " + other.text + ", " +
                        time_text(other.seconds_per_sample);
                break;
            }
            texts.push_back(std::move(text));
        }
        for (std::size_t stage = 1; stage < found.cuts.size(); ++stage)
            texts.push_back(reason_of_cut(found, stage));
        return texts;
    }

    const std::string& layer_at(const Found& found, int place) const {
        return base_.model.layers[at(found.order[at(place)])].name;
    }

    double share_of(const Found& found, int begin, int end) const {
        double all = 0.0, part = 0.0;
        for (int i = 0; i < found.costs.layers(); ++i) {
            all += found.costs.seconds[at(i)];
            if (i >= begin && i < end) part += found.costs.seconds[at(i)];
        }
        return all > 0.0 ? part / all : 0.0;
    }

    // Bytes over the cut before `place`, forward, of an update.
    double crossing_bytes(const Found& found, int place) const {
        std::set<int> sources;
        for (int layer = place; layer < found.costs.layers(); ++layer)
            for (int source : found.costs.reads[at(layer)])
                if (source < place) sources.insert(source);
        double bytes = 0.0;
        for (int source : sources)
            bytes +=
                static_cast<double>(report_.layers[at(found.order[at(source)])].activation_bytes);
        return bytes * static_cast<double>(batch_size_ * found.request.accumulation);
    }

    // As planned: of a replica, forward, over the cut before `place`.
    std::size_t planned_bytes(const Found& found, int place) const {
        std::set<std::string> before;
        for (int i = 0; i < place; ++i) before.insert(layer_at(found, i));
        std::size_t bytes = 0;
        for (const EdgePlan& edge : found.plan.edges)
            if (!edge.shared && before.contains(edge.from_layer) && !before.contains(edge.to_layer))
                bytes += edge.forward_bytes;
        return bytes;
    }

    std::string reason_of_cut(const Found& found, std::size_t stage) const {
        const int begin = found.cuts[stage], previous = found.cuts[stage - 1];
        const int end =
            stage + 1 < found.cuts.size() ? found.cuts[stage + 1] : found.costs.layers();
        std::string text = "'" + layer_at(found, begin) + "' begins stage " +
                           std::to_string(stage + 1) + ": " +
                           percent(share_of(found, previous, begin)) + " / " +
                           percent(share_of(found, begin, end)) + " of the work; " +
                           io::byte_text(planned_bytes(found, begin)) +
                           " cross in an update, and as many bytes of gradients back";
        if (found.limited) text += "; the devices' memory limits allow no better cut";
        return text + alternative(found, stage, previous, end);
    }

    // The nearest cuts on both sides that would make a difference: what the better one costs.
    std::string alternative(const Found& found, std::size_t stage, int previous, int end) const {
        const int begin = found.cuts[stage];
        const double own = pipeline_seconds(found.costs, found.cuts, found.way.micro_batches);
        const double bytes = crossing_bytes(found, begin);
        std::optional<std::pair<double, int>> next;
        for (int step : {-1, 1})
            for (int place = begin + step; place > previous && place < end; place += step) {
                Cuts moved = found.cuts;
                moved[stage] = place;
                if (!is_chain(found.costs, moved)) continue;
                const double seconds =
                    pipeline_seconds(found.costs, moved, found.way.micro_batches);
                const bool differs = std::abs(seconds / own - 1.0) >= 0.005 ||
                                     crossing_bytes(found, place) > much_more * bytes;
                if (!differs) continue;
                if (!next || seconds < next->first) next = {seconds, place};
                break;
            }
        if (!next) return "";
        std::string text = "; with '" + layer_at(found, next->second) + "' as its first layer " +
                           percent(share_of(found, previous, next->second)) + " / " +
                           percent(share_of(found, next->second, end));
        if (const double other = crossing_bytes(found, next->second);
            other > much_more * bytes && bytes > 0.0)
            text += " and " + fixed(other / bytes, 1) + " x the bytes";
        const double more = next->first / own - 1.0;
        if (more >= 0.005) text += ", " + percent(more) + " more time";
        return text;
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
