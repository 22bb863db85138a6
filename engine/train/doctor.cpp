#include "engine/train/doctor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/text.h"
#include "engine/layers/text.h"

namespace strata::train {
namespace {

using layers::number_text;

constexpr std::size_t loss_window = 8, swing_window = 16, norm_window = 8, norm_history = 64;
constexpr std::int64_t early_updates = 200, reference_samples = 8, fewest_for_swings = 16;

double mean_of_last(const std::deque<double>& values, std::size_t count) {
    return std::accumulate(values.end() - static_cast<std::ptrdiff_t>(count), values.end(), 0.0) /
           static_cast<double>(count);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// How far the values move from one to the next, relative to their mean.
double swing(const std::deque<double>& values) {
    double moved = 0.0, sum = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
        moved += std::abs(values[i] - values[i - 1]);
        sum += values[i];
    }
    const auto n = static_cast<double>(values.size());
    return sum > 0.0 ? (moved / (n - 1.0)) / (sum / n) : 0.0;
}

// One significant digit: "0.0003", "2".
std::string rounded(double value) {
    if (!(value > 0.0)) return "0";
    const double unit = std::pow(10.0, std::floor(std::log10(value)));
    return number_text(std::round(value / unit) * unit);
}

std::string times(double factor) {
    return (factor < 100.0 ? fixed(factor, 1) : grouped(std::llround(factor))) + " times";
}

}  // namespace

void Doctor::judge(Kind kind, const std::string& layer, bool ill, bool well,
                   const std::function<Words()>& words) {
    const std::pair<Kind, std::string> key(kind, layer);
    if (well) open_.erase(key);
    if (!ill || !open_.insert(key).second) return;
    Words said = words();
    FindingEvent event;
    event.kind = kind;
    event.update = update_;
    event.epoch = epoch_;
    event.layer = layer.empty() ? said.layer : layer;
    event.evidence = std::move(said.evidence);
    event.advice = std::move(said.advice);
    event.fix = std::move(said.fix);
    tell_(std::move(event));
}

std::string Doctor::lower_rate(double divisor) const {
    if (!(setup_.learning_rate > 0.0)) return {};
    return "training.optimizer.config.learning_rate=" + rounded(setup_.learning_rate / divisor);
}

void Doctor::after_step(const StepValues& step) {
    update_ = step.update;
    epoch_ = step.epoch;
    // A run that goes on in the middle has no first loss.
    if (!begun_ && step.update <= 1) early_ = early_updates;
    begun_ = true;
    check_learning_rate(step);
    check_growth(step.gradient_norm);
}

void Doctor::learning_rate_raised() {
    if (losses_.size() < loss_window || is_open(Kind::learning_rate_too_high)) return;
    first_loss_ = mean_of_last(losses_, loss_window);
    first_samples_ = reference_samples;
    losses_.clear();
    early_ = early_updates;
}

void Doctor::check_learning_rate(const StepValues& step) {
    losses_.push_back(step.loss);
    if (losses_.size() > swing_window) losses_.pop_front();
    const bool open = is_open(Kind::learning_rate_too_high);
    if (early_ <= 0 && !open) return;
    --early_;
    if (first_samples_ < reference_samples) {
        const auto seen = static_cast<double>(first_samples_),
                   n = static_cast<double>(step.samples);
        first_loss_ = (first_loss_ * seen + step.loss * n) / (seen + n);
        first_samples_ += step.samples;
    }
    if (losses_.size() < loss_window) return;
    const double mean = mean_of_last(losses_, loss_window);
    const double moves = losses_.size() == swing_window ? swing(losses_) : 0.0;
    const bool rises = mean > 2.0 * first_loss_;
    const bool swings = moves > 0.5 && step.samples >= fewest_for_swings &&
                        mean_of_last(losses_, losses_.size()) > 0.9 * first_loss_;
    judge(Kind::learning_rate_too_high, "", rises || swings,
          losses_.size() == swing_window && mean < first_loss_ && moves < 0.25, [&] {
              Words words;
              words.evidence = rises ? "the loss rose from " + number_text(first_loss_) + " to " +
                                           number_text(mean) + " (mean of 8 updates)"
                                     : "from one update to the next the loss moves by " +
                                           fixed(100.0 * moves, 0) + " % of its mean, " +
                                           number_text(mean) + ", and it began with " +
                                           number_text(first_loss_);
              words.advice = "Lower the learning rate, or let it warm up";
              words.fix = lower_rate(rises ? 10.0 : 3.0);
              return words;
          });
}

void Doctor::check_growth(double norm) {
    norms_.push_back(norm);
    if (norms_.size() > norm_window + norm_history) norms_.pop_front();
    const bool open = is_open(Kind::exploding_gradients);
    if (norms_.size() < 2 * norm_window || update_ % 8 != 0) return;
    const auto split = norms_.end() - static_cast<std::ptrdiff_t>(norm_window);
    const double recent = median({split, norms_.end()});
    if (!open) usual_norm_ = median({norms_.begin(), split});
    judge(Kind::exploding_gradients, "", recent > 1.0 && recent > 20.0 * usual_norm_,
          recent < 5.0 * usual_norm_, [&] { return explosion(recent); });
}

Doctor::Words Doctor::explosion(double recent) const {
    Words words;
    words.evidence = "the gradient's norm grew " +
                     times(recent / std::max(usual_norm_, std::numeric_limits<double>::min())) +
                     ", from " + number_text(usual_norm_) + " to " + number_text(recent) +
                     " (medians)";
    double squares = 0.0;
    const graph::GradientNorm* largest = nullptr;
    for (const graph::GradientNorm& entry : last_norms_) {
        squares += entry.norm * entry.norm;
        if (largest == nullptr || entry.norm > largest->norm) largest = &entry;
    }
    if (largest != nullptr && largest->norm * largest->norm > 0.5 * squares)
        words.layer = largest->layer;
    words.advice = setup_.clips ? "Lower the learning rate" : "Clip the gradients by their norm";
    words.fix = setup_.clips ? lower_rate(3.0)
                             : R"(training.clipping={"type": "global_clipnorm", "value": )" +
                                   (usual_norm_ > 0.0 ? rounded(usual_norm_) : "1") + "}";
    return words;
}

void Doctor::data_wait(double waited, double seconds, const std::string& limit,
                       const std::string& stage) {
    waited_ += waited;
    wait_seconds_ += seconds;
    if (wait_seconds_ < 2.0) return;
    const double share = waited_ / wait_seconds_;
    judge(Kind::starved_of_data, "", share >= 0.25, share < 0.1, [&] {
        Words words;
        words.evidence = "the device waited for data " + fixed(100.0 * share, 0) + " % of " +
                         fixed(wait_seconds_, 1) + " seconds; " + limit;
        const bool map_is_fixed = stage == "map" && setup_.map_threads > 0;
        words.advice = stage == "map"      ? "Give the stage 'map' more threads, or augment less"
                       : stage == "source" ? "Cache the samples, or put them on a faster disk"
                                           : "Prepare more batches ahead";
        words.fix = map_is_fixed            ? "data.pipeline.map.threads=0"
                    : setup_.fixed_prefetch ? "data.pipeline.prefetch.buffer_size=auto"
                                            : "";
        return words;
    });
    waited_ = wait_seconds_ = 0.0;
}

}  // namespace strata::train
