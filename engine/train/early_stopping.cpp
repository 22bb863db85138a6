#include "engine/train/early_stopping.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace strata::train {
namespace {

constexpr const char* where = "training.early_stopping";

Error wrong(const char* key, const std::string& what, const std::string& hint) {
    return {ErrorCode::invalid_argument, what, std::string(where) + "." + key, hint};
}

template <typename T>
Json json_of(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

std::optional<std::int64_t> integer_in(const Json& state, const char* key) {
    const Json value = state.value(key, Json());
    return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

}  // namespace

EarlyStopping::EarlyStopping(const EarlyStoppingConfig& config,
                             const std::vector<std::string>& metrics, bool has_validation)
    : config_(config) {
    if (!config.enabled) return;
    monitor_ = find_monitor(config.monitor, config.mode, metrics, has_validation,
                            std::string(where) + ".monitor");
    if (config.patience < 0)
        throw wrong("patience", "is negative", "Set the number of epochs to wait, 0 or more");
    if (config.start_from_epoch < 0)
        throw wrong("start_from_epoch", "is negative", "Set the first epoch that counts, from 0");
    if (!std::isfinite(config.min_delta))
        throw wrong("min_delta", "is no finite number",
                    "Set the least gain that counts, for "
                    "example 0.001");
    if (config.baseline && !std::isfinite(*config.baseline))
        throw wrong("baseline", "is no finite number", "Set the value to beat, or none");
}

EarlyStopping::Decision EarlyStopping::after_epoch(std::int64_t epoch, const EpochValues& values) {
    Decision decision;
    const auto found = values.find(monitor_.name);
    if (!config_.enabled || found == values.end() || epoch < config_.start_from_epoch)
        return decision;
    const double value = found->second;
    ++wait_;
    decision.improved =
        !std::isnan(value) && (!best_ || monitor_.better(value, *best_, config_.min_delta));
    decision.keep_weights = config_.restore_best_weights && (decision.improved || !kept_epoch_);
    if (decision.keep_weights) kept_epoch_ = epoch;
    if (decision.improved) {
        best_ = value;
        best_epoch_ = epoch;
        // Below the baseline even a gain does not win the patience back.
        if (!config_.baseline || monitor_.better(value, *config_.baseline, config_.min_delta))
            wait_ = 0;
        return decision;
    }
    // The first epoch has nothing to be compared with.
    decision.stop = wait_ >= config_.patience && epoch > 0;
    if (decision.stop) stopped_epoch_ = epoch;
    return decision;
}

std::string EarlyStopping::reason() const {
    if (!stopped_epoch_) return {};
    std::string text = "Stopped after epoch " + std::to_string(*stopped_epoch_ + 1) + ": ";
    if (!best_epoch_) return text + monitor_.name + " was never a number";
    text += monitor_.name + " was best in epoch " + std::to_string(*best_epoch_ + 1) + " (" +
            fixed(*best_, 4) + ")";
    if (config_.baseline && !monitor_.better(*best_, *config_.baseline, config_.min_delta))
        text += " and did not beat the baseline " + fixed(*config_.baseline, 4);
    return text;
}

Json EarlyStopping::state() const {
    if (!config_.enabled) return Json();
    // An infinite best value has no JSON number; it is kept as a text.
    Json best = json_of(best_);
    if (best_ && std::isinf(*best_)) best = *best_ > 0 ? "inf" : "-inf";
    return {{"monitor", monitor_.name},
            {"best", best},
            {"best_epoch", json_of(best_epoch_)},
            {"kept_epoch", json_of(kept_epoch_)},
            {"wait", wait_}};
}

void EarlyStopping::restore(const Json& state) {
    best_.reset();
    best_epoch_ = kept_epoch_ = stopped_epoch_ = std::nullopt;
    wait_ = 0;
    // What was reached by another value is no measure for this one.
    if (!config_.enabled || !state.is_object() || state.value("monitor", "") != monitor_.name)
        return;
    const Json best = state.value("best", Json());
    if (best.is_number()) best_ = best.get<double>();
    if (best == "inf") best_ = HUGE_VAL;
    if (best == "-inf") best_ = -HUGE_VAL;
    best_epoch_ = integer_in(state, "best_epoch");
    kept_epoch_ = integer_in(state, "kept_epoch");
    wait_ = integer_in(state, "wait").value_or(0);
}

}  // namespace strata::train
