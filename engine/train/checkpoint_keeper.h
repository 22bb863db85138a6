// When a run saves and under which name: SEMANTICS "Checkpoints", Keras's ModelCheckpoint. The
// trainer asks it after each update and each epoch and hands the answers to checkpoint::Writer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/checkpoint/name_pattern.h"
#include "engine/checkpoint/retention.h"
#include "engine/checkpoint/writer.h"
#include "engine/train/best_metric.h"

namespace strata::train {

class CheckpointKeeper {
public:
    // Throws Error{invalid_argument} for a monitor or a field of the file name that the run will
    // not have (with the list), and for a name under which only one file can be kept.
    CheckpointKeeper(const CheckpointConfig& config, const std::vector<std::string>& metrics,
                     bool has_validation);

    // Which of the pattern's files stay; null where there is no pattern. For the Writer.
    std::shared_ptr<checkpoint::Retention> retention(const std::string& run_directory) const;

    // epoch: the one that goes on, from 1. values: the epoch's so far, without val_ ones; called
    // only where the name needs them. seconds_since_last: since the last save of any kind.
    std::optional<checkpoint::Target> after_update(std::int64_t epoch, std::int64_t update,
                                                   double seconds_since_last,
                                                   const std::function<EpochValues()>& values);
    // epoch: the one that ended, from 1. The best first. To be asked at each epoch's end also where
    // nothing is saved: it follows the monitored value.
    std::vector<checkpoint::Target> after_epoch(std::int64_t epoch, std::int64_t update,
                                                const EpochValues& values);
    // At the run's end, on a stop and on request.
    static checkpoint::Target last() { return {"last.h5"}; }

    const std::string& monitor() const { return best_.monitor(); }
    // The best value so far, for the checkpoint.
    const std::optional<double>& best() const { return best_.best; }
    void set_best(std::optional<double> best) { best_.best = best; }

private:
    checkpoint::Target regular(std::int64_t epoch, std::int64_t update,
                               const EpochValues& values) const;

    CheckpointConfig config_;
    BestMetric best_;
    std::optional<checkpoint::NamePattern> pattern_;
    bool names_values_ = false;
};

}  // namespace strata::train
