#include "engine/parallel/auto_reasons.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "engine/core/text.h"
#include "engine/core/time_text.h"
#include "engine/io/file.h"

namespace strata::parallel {
namespace {

constexpr double much_more = 1.2;  // bytes over another cut

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

std::string percent(double share) {
    return fixed(100.0 * share, 0) + " %";
}

class Reasons {
public:
    Reasons(const PlacedWay& chosen, const graph::ModelReport& report, std::int64_t batch_size)
        : chosen_(chosen), report_(report), batch_size_(batch_size) {}

    // Against the quickest of the other shapes.
    std::string of_way(const std::vector<AutoCandidate>& all) const {
        const Way& way = chosen_.way;
        const double own = chosen_.plan.seconds_per_sample();
        std::string text = in_words(way) + ": " + time_text(own) + " a sample";
        const AutoCandidate* other = nullptr;
        for (const AutoCandidate& candidate : all) {
            if (candidate.seconds_per_sample <= 0.0 || !candidate.fits) continue;
            if (candidate.replicas == way.replicas && candidate.stages == way.stages) continue;
            if (other == nullptr || candidate.seconds_per_sample < other->seconds_per_sample)
                other = &candidate;
        }
        if (other == nullptr) return text;
        text += "; the best way of another shape, " + other->text + ", " +
                time_text(other->seconds_per_sample);
        if (other->seconds_per_sample < own)
            text += ", is so near that a measurement hardly tells it from this simpler one";
        return text;
    }

    std::string of_cut(std::size_t stage) const {
        const int begin = chosen_.cuts[stage];
        const Shares own{share(stage - 1), share(stage)};
        std::string text = "'" + layer_at(begin) + "' begins stage " + std::to_string(stage + 1) +
                           ": " + percent(own.before) + " / " + percent(own.after) +
                           " of the work; " + io::byte_text(planned_bytes(begin)) +
                           " cross in an update, and as many bytes of gradients back";
        if (chosen_.limited) text += "; the devices' memory limits allow no better cut";
        return text + alternative(stage, own);
    }

private:
    struct Shares {
        double before = 0.0, after = 0.0;  // shares of a replica's work
    };

    const std::string& layer_at(int place) const {
        return chosen_.request.model.layers[at(chosen_.order[at(place)])].name;
    }

    // As planned.
    double share(std::size_t stage) const {
        for (const DevicePlan& device : chosen_.plan.devices)
            if (device.replica == 0 && device.number == static_cast<int>(stage))
                return device.work_share;
        return 0.0;
    }

    // As estimated layer by layer, from begin to end.
    double estimated(int begin, int end) const {
        double all = 0.0, part = 0.0;
        for (int i = 0; i < chosen_.costs.layers(); ++i) {
            all += chosen_.costs.seconds[at(i)];
            if (i >= begin && i < end) part += chosen_.costs.seconds[at(i)];
        }
        return all > 0.0 ? part / all : 0.0;
    }

    // Bytes over the cut before `place`, forward, of an update.
    double crossing_bytes(int place) const {
        std::set<int> sources;
        for (int layer = place; layer < chosen_.costs.layers(); ++layer)
            for (int source : chosen_.costs.reads[at(layer)])
                if (source < place) sources.insert(source);
        double bytes = 0.0;
        for (int source : sources)
            bytes +=
                static_cast<double>(report_.layers[at(chosen_.order[at(source)])].activation_bytes);
        return bytes * static_cast<double>(batch_size_ * chosen_.request.accumulation);
    }

    // As planned: of a replica, forward, over the cut before `place`.
    std::size_t planned_bytes(int place) const {
        std::set<std::string> before;
        for (int i = 0; i < place; ++i) before.insert(layer_at(i));
        std::size_t bytes = 0;
        for (const EdgePlan& edge : chosen_.plan.edges)
            if (!edge.shared && before.contains(edge.from_layer) && !before.contains(edge.to_layer))
                bytes += edge.forward_bytes;
        return bytes;
    }

    // The better of the nearest cuts on both sides that would make a difference: seconds and place.
    std::optional<std::pair<double, int>> next_best(std::size_t stage, double own) const {
        const int begin = chosen_.cuts[stage], previous = chosen_.cuts[stage - 1];
        const int end = end_of(stage);
        std::optional<std::pair<double, int>> next;
        for (int step : {-1, 1})
            for (int place = begin + step; place > previous && place < end; place += step) {
                Cuts moved = chosen_.cuts;
                moved[stage] = place;
                if (!is_chain(chosen_.costs, moved)) continue;
                const double seconds =
                    pipeline_seconds(chosen_.costs, moved, chosen_.way.micro_batches);
                const bool differs = std::abs(seconds / own - 1.0) >= 0.005 ||
                                     crossing_bytes(place) > much_more * crossing_bytes(begin);
                if (!differs) continue;
                if (!next || seconds < next->first) next = {seconds, place};
                break;
            }
        return next;
    }

    // What that cut costs.
    std::string alternative(std::size_t stage, const Shares& shares) const {
        const double own = pipeline_seconds(chosen_.costs, chosen_.cuts, chosen_.way.micro_batches);
        const auto next = next_best(stage, own);
        if (!next) return "";
        const int begin = chosen_.cuts[stage], place = next->second;
        const double estimate =
            place < begin ? -estimated(place, begin) : estimated(begin, place);  // to before
        const double moved = std::clamp(estimate, -shares.before, shares.after);
        std::string text = "; with '" + layer_at(place) + "' as its first layer " +
                           percent(shares.before + moved) + " / " + percent(shares.after - moved);
        const double bytes = crossing_bytes(begin), other = crossing_bytes(place);
        if (other > much_more * bytes && bytes > 0.0)
            text += " and " + fixed(other / bytes, 1) + " x the bytes";
        const double more = next->first / own - 1.0;
        if (more >= 0.005) text += ", " + percent(more) + " more time";
        return text;
    }

    int end_of(std::size_t stage) const {
        return stage + 1 < chosen_.cuts.size() ? chosen_.cuts[stage + 1] : chosen_.costs.layers();
    }

    const PlacedWay& chosen_;
    const graph::ModelReport& report_;
    std::int64_t batch_size_;
};

}  // namespace

bool PlacedWay::fits() const {
    return std::all_of(plan.devices.begin(), plan.devices.end(),
                       [](const DevicePlan& device) { return device.fits(); });
}

std::string in_words(const Way& way) {
    if (way.replicas == 1 && way.stages == 1) return "one device";
    std::string text = counted(way.replicas, "replica") + " of " + counted(way.stages, "stage");
    if (way.micro_batches > 1)
        text += " with " + counted(way.micro_batches, "micro-batch", "micro-batches");
    return text;
}

std::vector<std::string> reasons_of(const PlacedWay& chosen, const std::vector<AutoCandidate>& all,
                                    const graph::ModelReport& report, std::int64_t batch_size) {
    const Reasons reasons(chosen, report, batch_size);
    std::vector<std::string> texts;
    if (all.size() > 1) texts.push_back(reasons.of_way(all));
    for (std::size_t stage = 1; stage < chosen.cuts.size(); ++stage)
        texts.push_back(reasons.of_cut(stage));
    return texts;
}

}  // namespace strata::parallel
