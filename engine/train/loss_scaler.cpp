#include "engine/train/loss_scaler.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace strata::train {
namespace {

constexpr int most_skipped = 100;  // at a fixed scale: training stands still

}  // namespace

LossScaler::LossScaler(const LossScaleConfig& config, bool active)
    : config_(config), active_(active) {
    state_.scale = active ? config.initial : 1.0;
}

bool LossScaler::update(bool finite) {
    if (!active_) return false;
    const double before = state_.scale;
    if (finite) {
        skipped_in_a_row_ = 0;
        if (!config_.dynamic) return false;
        if (++state_.finite_steps < config_.growth_interval) return false;
        state_.finite_steps = 0;
        // The scale is a float32 on the device.
        if (std::isfinite(static_cast<float>(2.0 * before))) state_.scale = 2.0 * before;
        return state_.scale != before;
    }
    state_.finite_steps = 0;
    if (!config_.dynamic) {
        if (++skipped_in_a_row_ < most_skipped) return false;
        throw Error(ErrorCode::numeric,
                    std::to_string(most_skipped) +
                        " steps in a row overflowed float16 at the fixed loss scale",
                    "training.loss_scale", "Choose a smaller one, or \"dynamic\"");
    }
    if (before <= 1.0)
        throw Error(ErrorCode::numeric, "gradients overflow float16 even without a loss scale",
                    "training.precision",
                    "Use mixed_bfloat16, a smaller learning rate, or float32 for that layer");
    state_.scale = std::max(1.0, before / 2.0);
    return true;
}

std::optional<checkpoint::LossScalerState> LossScaler::state() const {
    return active_ ? std::optional(state_) : std::nullopt;
}

void LossScaler::restore(const std::optional<checkpoint::LossScalerState>& state) {
    if (!active_ || !state || !config_.dynamic) return;
    state_ = *state;
}

}  // namespace strata::train
