#include "engine/schedules/learning_rate.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/schedules/duration_params.h"

namespace strata::schedules {
namespace {

// A setting as an object with its own keys alone.
Json normalized(const Json& setting) {
    if (setting.is_null()) return Json::object();
    if (setting.is_string()) return {{"type", setting}};
    if (!setting.is_object())
        throw Error(ErrorCode::invalid_argument, "expected an object, found " + setting.dump(),
                    setting_key, R"(For example {"type": "CosineDecay"})");
    refuse_unknown_keys(setting, {"type", "config", "warmup", "reduce_on_plateau"}, setting_key);
    return setting;
}

Json part(const Json& setting, const char* key) {
    const auto it = setting.find(key);
    return it == setting.end() ? Json() : *it;
}

std::string where_of(const char* key) {
    return std::string(setting_key) + "." + key;
}

const ScheduleDescription& schedule_of(const Json& setting) {
    try {
        return find_schedule(part(setting, "type").is_null()
                                 ? "Constant"
                                 : get_string(setting, "type", "", setting_key));
    } catch (const Error& error) {
        if (error.code() == ErrorCode::not_found) throw error.at(setting_key);
        throw;
    }
}

layers::Config config_of(const ScheduleDescription& schedule, const Json& setting) {
    const Json given = part(setting, "config");
    try {
        layers::Config config =
            layers::Config::checked(schedule.params, given.is_null() ? Json::object() : given);
        if (schedule.check) schedule.check(config);
        return config;
    } catch (const Error& error) {
        throw error.at(where_of("config"));
    }
}

}  // namespace

void check_setting(const Json& setting) {
    LearningRate(setting, 0.0, 1, 1);
}

LearningRate::LearningRate(const Json& setting, double base_rate, std::int64_t updates_per_epoch,
                           std::int64_t total_updates)
    : configured_base_(base_rate), base_(base_rate), total_updates_(total_updates) {
    const Json parts = normalized(setting);
    schedule_ = &schedule_of(parts);
    config_ = config_of(*schedule_, parts);
    for (const layers::ParamSpec& param : schedule_->params)
        lasts_the_run_ =
            lasts_the_run_ || (is_rest_of_run(param) && config_.is_null(param.key.c_str()));
    warmup_ = Warmup(part(parts, "warmup"), updates_per_epoch, where_of("warmup"));
    if (const Json plateau = part(parts, "reduce_on_plateau"); !plateau.is_null())
        plateau_.emplace(plateau, where_of("reduce_on_plateau"));
}

double LearningRate::scheduled(std::int64_t update, std::int64_t place) const {
    const std::int64_t start = warmup_.updates();
    const std::int64_t rest = std::max<std::int64_t>(total_updates_ - start, 1);
    const std::int64_t done = (lasts_the_run_ ? place : update) - start;
    const std::int64_t warming = warmup_.counts_epochs() ? place : update;
    double rate = schedule_->rate(config_, base_, std::max<std::int64_t>(done, 0), rest);
    // A rate set by hand moves a list of rates in proportion.
    if (schedule_->ignores_base_rate && base_ != configured_base_ && configured_base_ > 0.0)
        rate *= base_ / configured_base_;
    return warming < start ? rate * warmup_.factor(warming) : rate;
}

double LearningRate::at(std::int64_t update, std::int64_t place) const {
    const double rate = scheduled(update, place);
    return plateau_ ? plateau_->reduced(rate) : rate;
}

bool LearningRate::end_epoch(const std::map<std::string, double>& values) {
    return plateau_ && plateau_->end_epoch(values, scheduled(warmup_.updates(), warmup_.updates()));
}

void LearningRate::set_base(double base_rate) {
    if (!std::isfinite(base_rate) || base_rate < 0.0)
        throw Error(ErrorCode::invalid_argument, "the learning rate is below 0 or no number",
                    "learning_rate", "Give a rate of 0 or more");
    base_ = base_rate;
    if (plateau_) plateau_->forget_reductions();
}

Json LearningRate::state() const {
    Json state = {{"configured_base", configured_base_}, {"base", base_}};
    if (plateau_) state["reduce_on_plateau"] = plateau_->state();
    return state;
}

void LearningRate::restore(const Json& state) {
    const std::string where = "learning_rate";
    const bool same =
        get_number(state, "configured_base", configured_base_, where) == configured_base_;
    base_ = same ? get_number(state, "base", configured_base_, where) : configured_base_;
    const Json plateau = part(state, "reduce_on_plateau");
    if (!plateau_ || plateau.is_null()) return;
    plateau_->restore(plateau);
    if (!same) plateau_->forget_reductions();
}

}  // namespace strata::schedules
