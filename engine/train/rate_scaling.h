// The learning rate of several model copies that train together: SEMANTICS "Distributed runs",
// Horovod's conventions. Used by the stepper.
#pragma once

#include <cstdint>

#include "engine/train/techniques.h"

namespace strata::train {

class RateScaling {
public:
    RateScaling() = default;
    // copies: replicas times processes.
    RateScaling(const RateScalingConfig& config, int copies, std::int64_t updates_per_epoch);

    // What every rate of the run is multiplied by.
    double scale() const { return scale_; }
    // In the warm-up from 1 / copies to 1, with steps s an epoch and e epochs done in parts:
    // 1 / copies * ((e + 1 / s) * (copies - 1) / warmup_epochs + 1). update: from 0.
    double warmup(std::int64_t update) const;

private:
    double scale_ = 1.0, copies_ = 1.0, warmup_updates_ = 0.0;
};

}  // namespace strata::train
