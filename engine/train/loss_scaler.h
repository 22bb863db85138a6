// The loss scale of mixed_float16: Micikevicius et al., "Mixed Precision Training", arXiv
// 1710.03740, with the numbers of SEMANTICS "Mixed precision". Asked by the stepper.
#pragma once

#include <optional>

#include "engine/checkpoint/training_state.h"
#include "engine/train/techniques.h"

namespace strata::train {

class LossScaler {
public:
    // active: whether a layer computes in float16; else the scale is 1 for ever.
    LossScaler(const LossScaleConfig& config, bool active);

    double scale() const { return state_.scale; }
    bool active() const { return active_; }

    std::int64_t skipped_in_a_row() const { return skipped_in_a_row_; }  // at a fixed scale

    // After a step, the last thing of it. True where the scale changed. Throws Error{numeric} where
    // a step at scale 1 overflowed, or too many in a row at a fixed one.
    bool update(bool finite);

    // For the checkpoint; nothing where it is not active.
    std::optional<checkpoint::LossScalerState> state() const;
    void restore(const std::optional<checkpoint::LossScalerState>& state);

private:
    LossScaleConfig config_;
    bool active_;
    checkpoint::LossScalerState state_;
    int skipped_in_a_row_ = 0;
};

}  // namespace strata::train
