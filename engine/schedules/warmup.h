// A rise of the rate, in a straight line over the first updates, in front of any schedule: rate *
// (f
// + (1 - f) u / W) at update u, from 1, of W. Over N workers with f = 1/N it is the usual warm-up
// of a rate that was scaled by N.
#pragma once

#include <cstdint>

#include "engine/core/json.h"
#include "engine/layers/spec.h"

namespace strata::schedules {

class Warmup {
public:
    Warmup() = default;  // none
    // null, or {"updates": n or "epochs": x, "start_factor": f}. Throws Error naming where.key.
    Warmup(const Json& config, std::int64_t updates_per_epoch, const std::string& where);

    static const std::vector<layers::ParamSpec>& params();

    std::int64_t updates() const { return updates_; }
    bool counts_epochs() const { return counts_epochs_; }  // its length was given in these
    // Of update index `update`, from 0 and below updates().
    double factor(std::int64_t update) const;

private:
    std::int64_t updates_ = 0;
    double start_factor_ = 0.0;
    bool counts_epochs_ = false;
};

}  // namespace strata::schedules
