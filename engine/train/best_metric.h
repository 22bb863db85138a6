// Which checkpoint is the best: the comparison of SEMANTICS "Checkpoints". Used by the trainer, the
// checkpoint keeper and early stopping.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/train/run_config.h"

namespace strata::train {

// The values of one epoch by Keras's names: "loss", "accuracy", "val_loss", "val_accuracy".
using EpochValues = std::map<std::string, double>;

// The names of the values that an epoch will have; has_validation: val_ ones come, too.
std::vector<std::string> epoch_value_names(const std::vector<std::string>& metrics,
                                           bool has_validation);

// A value that is watched, and which way is better.
struct Monitor {
    std::string name;
    bool higher_is_better = false;

    // Strictly, by more than min_delta; NaN never is.
    bool better(double value, double than, double min_delta = 0.0) const;
};

// mode: auto, min, max. Throws Error{invalid_argument} with the values that the run will have,
// unless `monitor` is one of them; the default "val_loss" becomes "loss" in a run without
// validation data. where: the project's key.
Monitor find_monitor(const std::string& monitor, const std::string& mode,
                     const std::vector<std::string>& metrics, bool has_validation,
                     const std::string& where);

class BestMetric {
public:
    // Throws as find_monitor().
    BestMetric(const CheckpointConfig& config, const std::vector<std::string>& metrics,
               bool has_validation);

    const std::string& monitor() const { return monitor_.name; }
    // True where `values` are strictly better than all before; they are remembered then. NaN never
    // is.
    bool improves(const EpochValues& values);
    std::optional<double> best;

private:
    Monitor monitor_;
};

}  // namespace strata::train
