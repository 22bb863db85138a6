// The learning rate of a run, update by update: warm-up, then a schedule, times the reductions on a
// plateau. No I/O; the trainer asks it for every update and tells it each epoch's metrics.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/core/json.h"
#include "engine/schedules/reduce_on_plateau.h"
#include "engine/schedules/schedule.h"
#include "engine/schedules/warmup.h"

namespace strata::schedules {

inline constexpr const char* setting_key = "training.learning_rate_schedule";

// Throws Error that names the key of a wrong part of {"type", "config", "warmup",
// "reduce_on_plateau"}; all are optional, null is the constant rate, a text is a type alone.
void check_setting(const Json& setting);

class LearningRate {
public:
    // base_rate: the optimizer's. total_updates: of the whole run, from its first epoch.
    LearningRate(const Json& setting, double base_rate, std::int64_t updates_per_epoch,
                 std::int64_t total_updates);

    double at(std::int64_t update) const { return at(update, update); }
    // update: index over the run, from 0: updates applied before. place: the same in updates of
    // now, where some were of another size; what lasts epochs or the whole run goes by it, what
    // lasts a number of updates by `update`.
    double at(std::int64_t update, std::int64_t place) const;

    // The metrics of an epoch that ended. True where they lowered the rate.
    bool end_epoch(const std::map<std::string, double>& values);
    // Name of the metric that end_epoch() needs; empty where it needs none.
    std::string monitor() const { return plateau_ ? plateau_->monitor() : std::string(); }

    double base() const { return base_; }
    // Another base rate from now on, by hand: the schedule goes on from it, earlier reductions are
    // forgotten.
    void set_base(double base_rate);

    // What a checkpoint holds. restore() keeps a rate that was set by hand, and drops it where the
    // project's own rate has changed since.
    Json state() const;
    void restore(const Json& state);

private:
    double scheduled(std::int64_t update, std::int64_t place) const;  // without reductions

    const ScheduleDescription* schedule_;
    layers::Config config_;
    Warmup warmup_;
    std::optional<ReduceLROnPlateau> plateau_;
    double configured_base_, base_;
    std::int64_t total_updates_;
    bool lasts_the_run_ = false;  // the schedule
};

}  // namespace strata::schedules
