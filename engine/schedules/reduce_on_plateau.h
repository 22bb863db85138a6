// Lowers the rate when a metric stops improving, by Keras's rules. Asked once an epoch.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/json.h"
#include "engine/layers/spec.h"

namespace strata::schedules {

class ReduceLROnPlateau {
public:
    // {"monitor", "factor", "patience", "mode", "min_delta", "cooldown", "min_lr"}. Throws Error
    // naming where.key, also where mode is "auto" and nothing says which way the metric improves.
    ReduceLROnPlateau(const Json& config, const std::string& where);

    static const std::vector<layers::ParamSpec>& params();

    // Of the two names that a run has: the one asked for, else "val_loss", else "loss".
    const std::string& monitor() const { return monitor_; }

    // `rate`: the schedule's first, which min_lr is compared with. True where this epoch lowered
    // it. Throws Error{not_found} with the names that there are where the metric is missing.
    bool end_epoch(const std::map<std::string, double>& values, double rate);
    double reduced(double rate) const;  // what is left of the schedule's rate
    void forget_reductions() { scale_ = 1.0; }

    Json state() const;
    void restore(const Json& state);

private:
    bool is_improvement(double value) const;

    std::string monitor_ = "val_loss", where_;
    bool monitor_is_given_ = false, higher_is_better_ = false;
    double factor_ = 0.1, min_delta_ = 1e-4, min_rate_ = 0.0;
    std::int64_t patience_ = 10, cooldown_ = 0;

    std::optional<double> best_;
    std::int64_t wait_ = 0, cooling_ = 0;
    double scale_ = 1.0;  // product of the reductions
};

}  // namespace strata::schedules
