#include "engine/schedules/reduce_on_plateau.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/metrics/metric.h"

namespace strata::schedules {
namespace {

bool improves_upwards(const std::string& monitor, const std::string& mode,
                      const std::string& where) {
    if (mode != "auto") return mode == "max";
    const std::string name = monitor.starts_with("val_") ? monitor.substr(4) : monitor;
    if (name == "loss") return false;
    try {
        return metrics::find_metric(name).higher_is_better;
    } catch (const Error&) {
        throw Error(ErrorCode::invalid_argument,
                    "nothing says whether '" + monitor + "' is better when high or when low",
                    where + ", mode", "Give mode \"min\" or \"max\"");
    }
}

}  // namespace

const std::vector<layers::ParamSpec>& ReduceLROnPlateau::params() {
    static const std::vector<layers::ParamSpec> all{
        {.key = "monitor",
         .type = layers::ParamType::text,
         .default_value = nullptr,
         .doc = "Metric to watch; empty for val_loss, or loss in a run without validation",
         .optional = true},
        {.key = "factor",
         .type = layers::ParamType::number,
         .default_value = 0.1,
         .doc = "Factor of each reduction, below 1",
         .minimum = 0,
         .maximum = 1,
         .exclusive_maximum = true},
        {.key = "patience",
         .type = layers::ParamType::integer,
         .default_value = 10,
         .doc = "Epochs without improvement before a reduction",
         .minimum = 0,
         .maximum = 1e9},
        {.key = "mode",
         .type = layers::ParamType::choice,
         .default_value = "auto",
         .doc = "Whether the metric is better when low or high; auto decides by its name",
         .choices = {"auto", "min", "max"}},
        {.key = "min_delta",
         .type = layers::ParamType::number,
         .default_value = 1e-4,
         .doc = "Change that counts as an improvement when it is exceeded",
         .minimum = 0,
         .maximum = 1e300},
        {.key = "cooldown",
         .type = layers::ParamType::integer,
         .default_value = 0,
         .doc = "Epochs after a reduction that do not count as waiting",
         .minimum = 0,
         .maximum = 1e9},
        {.key = "min_lr",
         .type = layers::ParamType::number,
         .default_value = 0.0,
         .doc = "Rate below which no reduction goes",
         .minimum = 0,
         .maximum = 1e6}};
    return all;
}

ReduceLROnPlateau::ReduceLROnPlateau(const Json& config, const std::string& where) : where_(where) {
    layers::Config checked;
    try {
        checked = layers::Config::checked(params(), config);
    } catch (const Error& error) {
        throw error.at(where);
    }
    monitor_is_given_ = !checked.is_null("monitor");
    if (monitor_is_given_) monitor_ = checked.text("monitor");
    higher_is_better_ = improves_upwards(monitor_, checked.text("mode"), where);
    factor_ = checked.number("factor");
    min_delta_ = checked.number("min_delta");
    min_rate_ = checked.number("min_lr");
    patience_ = checked.integer("patience");
    cooldown_ = checked.integer("cooldown");
}

bool ReduceLROnPlateau::is_improvement(double value) const {
    if (!std::isfinite(value)) return false;
    if (!best_) return true;
    return higher_is_better_ ? value - min_delta_ > *best_ : value + min_delta_ < *best_;
}

bool ReduceLROnPlateau::end_epoch(const std::map<std::string, double>& values, double rate) {
    if (!monitor_is_given_ && !values.contains(monitor_)) monitor_ = "loss";
    const auto value = values.find(monitor_);
    if (value == values.end()) {
        std::string names;
        for (const auto& [name, number] : values) names += (names.empty() ? "" : ", ") + name;
        throw Error(ErrorCode::not_found, "the run has no metric '" + monitor_ + "'",
                    where_ + ", monitor", "It has: " + names);
    }
    if (cooling_ > 0) {
        --cooling_;
        wait_ = 0;
    }
    if (is_improvement(value->second)) {
        best_ = value->second;
        wait_ = 0;
        return false;
    }
    if (cooling_ > 0 || ++wait_ < patience_) return false;
    if (!(reduced(rate) > min_rate_)) return false;
    scale_ *= factor_;
    cooling_ = cooldown_;
    wait_ = 0;
    return true;
}

// A schedule that goes below min_lr by itself is left alone.
double ReduceLROnPlateau::reduced(double rate) const {
    return std::max(rate * scale_, std::min(rate, min_rate_));
}

Json ReduceLROnPlateau::state() const {
    return {{"best", best_ ? Json(*best_) : Json()},
            {"wait", wait_},
            {"cooldown", cooling_},
            {"scale", scale_}};
}

void ReduceLROnPlateau::restore(const Json& state) {
    const std::string where = "reduce_on_plateau";
    best_.reset();
    if (const auto best = state.find("best"); best != state.end() && !best->is_null())
        best_ = get_number(state, "best", 0.0, where);
    wait_ = get_integer(state, "wait", 0, where);
    cooling_ = get_integer(state, "cooldown", 0, where);
    scale_ = get_number(state, "scale", 1.0, where);
}

}  // namespace strata::schedules
