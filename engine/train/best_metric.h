// Which checkpoint is the best: the comparison of SEMANTICS "Checkpoints". Used by the trainer.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/train/run_config.h"

namespace strata::train {

// The values of one epoch by Keras's names: "loss", "accuracy", "val_loss", "val_accuracy".
using EpochValues = std::map<std::string, double>;

class BestMetric {
public:
    // has_validation: whether val_ values will come. Throws Error{invalid_argument} with the values
    // that the run will have, unless `monitor` is one of them; the default "val_loss" becomes
    // "loss" in a run without validation data.
    BestMetric(const CheckpointConfig& config, const std::vector<std::string>& metrics,
               bool has_validation);

    const std::string& monitor() const { return monitor_; }
    // True where `values` are strictly better than all before; they are remembered then. NaN never
    // is.
    bool improves(const EpochValues& values);
    std::optional<double> best;

private:
    std::string monitor_;
    bool higher_is_better_ = false;
};

}  // namespace strata::train
