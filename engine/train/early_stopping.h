// Ends a training that no longer gets better: SEMANTICS "Early stopping", Keras's EarlyStopping.
// Asked by the trainer at each epoch's end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/json.h"
#include "engine/train/best_metric.h"
#include "engine/train/techniques.h"

namespace strata::train {

class EarlyStopping {
public:
    struct Decision {
        bool stop = false;
        bool improved = false;
        // The weights of now are those to put back at the end: an improvement, or the first epoch
        // that counts. Never without restore_best_weights.
        bool keep_weights = false;
    };

    // Throws Error{invalid_argument} for a monitor that the run will not have, with the list of
    // those it will, and for values that make no sense. A disabled one never stops.
    EarlyStopping(const EarlyStoppingConfig& config, const std::vector<std::string>& metrics,
                  bool has_validation);

    const std::string& monitor() const { return monitor_.name; }

    // epoch: from 0. A missing value changes nothing; NaN is no improvement.
    Decision after_epoch(std::int64_t epoch, const EpochValues& values);

    std::optional<std::int64_t> best_epoch() const { return best_epoch_; }  // from 0
    // Whose weights were to be kept last; from 0.
    std::optional<std::int64_t> kept_epoch() const { return kept_epoch_; }
    std::string reason() const;  // why it stopped, in a sentence; "" where it did not

    // For the checkpoint; a new run begins fresh. restore() takes null as fresh, too.
    Json state() const;
    void restore(const Json& state);

private:
    EarlyStoppingConfig config_;
    Monitor monitor_;
    std::optional<double> best_;
    std::optional<std::int64_t> best_epoch_, kept_epoch_, stopped_epoch_;
    std::int64_t wait_ = 0;
};

}  // namespace strata::train
