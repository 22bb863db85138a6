#include "engine/train/checkpoint_keeper.h"

#include <algorithm>

#include "engine/core/error.h"

namespace strata::train {
namespace {

using checkpoint::NamePattern;
using checkpoint::Target;

constexpr const char* where = "training.checkpoint.filename";
constexpr const char* default_pattern = "checkpoint-{update:06d}.h5";

std::optional<NamePattern> make_pattern(const CheckpointConfig& config,
                                        const std::vector<std::string>& metrics,
                                        bool has_validation) {
    if (!config.enabled || (config.filename.empty() && config.keep_last <= 1)) return std::nullopt;
    // At an update in the middle of an epoch there is no validation yet.
    NamePattern pattern(config.filename.empty() ? default_pattern : config.filename,
                        {"epoch", "update"},
                        epoch_value_names(metrics, has_validation && config.save_freq == 0), where);
    if (pattern.matches("best.h5") || pattern.matches("last.h5") ||
        pattern.matches(checkpoint::kept_file) || pattern.matches(checkpoint::average_file))
        throw Error(ErrorCode::invalid_argument,
                    "'" + pattern.text() + "' is a name that every run uses itself", where,
                    "Choose another, for example checkpoint-{epoch:02d}.h5");
    if (config.keep_last > 1 && pattern.fields().empty())
        throw Error(ErrorCode::invalid_argument,
                    "'" + pattern.text() + "' is the same name each time, but the last " +
                        std::to_string(config.keep_last) + " are to be kept",
                    where, "Put {epoch} or {update} into it");
    return pattern;
}

}  // namespace

CheckpointKeeper::CheckpointKeeper(const CheckpointConfig& config,
                                   const std::vector<std::string>& metrics, bool has_validation)
    : config_(config),
      best_(config, metrics, has_validation),
      pattern_(make_pattern(config, metrics, has_validation)) {
    if (!pattern_) return;
    for (const std::string& field : pattern_->fields())
        names_values_ = names_values_ || (field != "epoch" && field != "update");
}

std::shared_ptr<checkpoint::Retention> CheckpointKeeper::retention(
    const std::string& run_directory) const {
    if (!pattern_) return nullptr;
    return std::make_shared<checkpoint::Retention>(run_directory, *pattern_, config_.keep_last);
}

Target CheckpointKeeper::regular(std::int64_t epoch, std::int64_t update,
                                 const EpochValues& values) const {
    if (!pattern_) return last();
    NamePattern::Values named{{"epoch", epoch}, {"update", update}};
    for (const auto& [name, value] : values) named.emplace(name, value);
    return {pattern_->name(named), false, true};
}

std::optional<Target> CheckpointKeeper::after_update(std::int64_t epoch, std::int64_t update,
                                                     double seconds_since_last,
                                                     const std::function<EpochValues()>& values) {
    if (!config_.enabled || config_.save_best_only) return std::nullopt;
    if (config_.save_freq > 0 && update % config_.save_freq == 0)
        return regular(epoch, update, names_values_ ? values() : EpochValues());
    if (config_.save_minutes > 0.0 && seconds_since_last >= 60.0 * config_.save_minutes)
        return last();
    return std::nullopt;
}

std::vector<Target> CheckpointKeeper::after_epoch(std::int64_t epoch, std::int64_t update,
                                                  const EpochValues& values) {
    std::vector<Target> saves;
    const bool improved = best_.improves(values);
    if (!config_.enabled) return saves;
    if (improved) saves.push_back({"best.h5", true, false});
    // As Keras's ModelCheckpoint: each that is better gets its name by the pattern, too.
    if (improved && config_.save_best_only && pattern_)
        saves.push_back(regular(epoch, update, values));
    if (!config_.save_best_only && config_.save_freq == 0)
        saves.push_back(regular(epoch, update, values));
    return saves;
}

}  // namespace strata::train
