#include "engine/train/rate_scaling.h"

#include <cmath>

namespace strata::train {

RateScaling::RateScaling(const RateScalingConfig& config, int copies,
                         std::int64_t updates_per_epoch)
    : copies_(copies),
      warmup_updates_(config.warmup_epochs * static_cast<double>(updates_per_epoch)) {
    if (config.scale == ScaleRate::linear) scale_ = copies_;
    if (config.scale == ScaleRate::square_root) scale_ = std::sqrt(copies_);
}

double RateScaling::warmup(std::int64_t update) const {
    const auto done = static_cast<double>(update + 1);
    if (done >= warmup_updates_) return 1.0;
    return (done / warmup_updates_ * (copies_ - 1.0) + 1.0) / copies_;
}

}  // namespace strata::train
