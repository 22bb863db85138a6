#include "engine/checkpoint/training_state.h"

#include <cmath>
#include <limits>

#include "engine/core/error.h"

namespace strata::checkpoint {
namespace {

constexpr const char* where = "training_state";

// JSON has no word for what is not finite.
Json number_json(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json number_json(const std::optional<double>& value) {
    return value ? number_json(*value) : Json();
}

std::optional<double> number_in(const Json& json) {
    if (json.is_number()) return json.get<double>();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (json == "inf") return infinity;
    if (json == "-inf") return -infinity;
    return std::nullopt;
}

std::optional<double> number_at(const Json& json, const char* key) {
    return json.is_object() ? number_in(json.value(key, Json())) : std::nullopt;
}

Json live_json(const LiveChanges& live) {
    return {{"clip_limit", number_json(live.clip_limit)},
            {"weight_decay", number_json(live.weight_decay)}};
}

LiveChanges live_in(const Json& json) {
    return {number_at(json, "clip_limit"), number_at(json, "weight_decay")};
}

Json scaler_json(const std::optional<LossScalerState>& scaler) {
    if (!scaler) return Json();
    return {{"scale", number_json(scaler->scale)}, {"finite_steps", scaler->finite_steps}};
}

std::optional<LossScalerState> scaler_in(const Json& json) {
    const auto scale = number_at(json, "scale");
    if (!scale) return std::nullopt;
    return LossScalerState{*scale, get_integer(json, "finite_steps", 0, where)};
}

}  // namespace

Json TrainingState::to_json() const {
    Json json = Json::object();
    json["epoch"] = epoch;
    json["batch_in_epoch"] = batch_in_epoch;
    json["update"] = update;
    json["schedule_offset"] = schedule_offset;
    json["skipped_steps"] = skipped_steps;
    json["samples"] = samples;
    json["seed"] = seed;
    json["epoch_loss_sum"] = number_json(epoch_loss_sum);
    json["epoch_metric_sums"] = Json::array();
    for (const double sum : epoch_metric_sums)
        json["epoch_metric_sums"].push_back(number_json(sum));
    json["epoch_samples"] = epoch_samples;
    json["best"] = number_json(best);
    json["loss_scaler"] = scaler_json(loss_scaler);
    json["live"] = live_json(live);
    json["schedule"] = schedule;
    json["early_stopping"] = early_stopping;
    json["fingerprint"] = fingerprint;
    json["log"] = log;
    json["project"] = project;
    return json;
}

TrainingState TrainingState::from_json(const Json& json) {
    if (!json.is_object())
        throw Error(ErrorCode::format, "holds no training state, only a model", where,
                    "Start a run from its weights instead of resuming it");
    TrainingState state;
    state.epoch = get_integer(json, "epoch", 0, where);
    state.batch_in_epoch = get_integer(json, "batch_in_epoch", 0, where);
    state.update = get_integer(json, "update", 0, where);
    state.schedule_offset = get_integer(json, "schedule_offset", 0, where);
    state.skipped_steps = get_integer(json, "skipped_steps", 0, where);
    state.samples = get_integer(json, "samples", 0, where);
    state.epoch_samples = get_integer(json, "epoch_samples", 0, where);
    state.epoch_loss_sum = number_at(json, "epoch_loss_sum").value_or(0.0);
    if (const Json seed = json.value("seed", Json()); seed.is_number_integer())
        state.seed = seed.get<std::uint64_t>();
    for (const Json& sum : json.value("epoch_metric_sums", Json::array()))
        state.epoch_metric_sums.push_back(number_in(sum).value_or(0.0));
    state.best = number_at(json, "best");
    state.loss_scaler = scaler_in(json.value("loss_scaler", Json()));
    state.live = live_in(json.value("live", Json()));
    state.schedule = json.value("schedule", Json());
    state.early_stopping = json.value("early_stopping", Json());
    state.fingerprint = json.value("fingerprint", Json());
    state.log = json.value("log", Json());
    state.project = json.value("project", Json());
    return state;
}

}  // namespace strata::checkpoint
