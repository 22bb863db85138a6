// The run's log on disk: TensorBoard event files in the run directory. Used by the trainer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/json.h"
#include "engine/interop/event_file.h"
#include "engine/train/events.h"

namespace strata::train {

class RunLog {
public:
    // resume_step: the first update that will come, in a run that goes on.
    RunLog(const std::string& directory, std::vector<std::string> metrics,
           std::optional<std::int64_t> resume_step);

    // Every update's loss, metrics, learning_rate, gradient_norm, samples_per_s.
    void add(const StepEvent& step);
    // Keras's names: val_loss, val_accuracy; the epoch's means as epoch_loss, epoch_accuracy.
    void add(const EpochEvent& epoch);
    // mark/<kind>: its value.
    void add(const MarkEvent& mark);
    // The devices' idle_share; the blocks are for the eye, and for `strata train --json`.
    void add(const TimelineEvent& timeline);
    // devices/<name>/<figure>: those that are told, of each device.
    void add(const MonitorEvent& monitor);
    void flush() { file_.flush(); }
    // What a checkpoint keeps: the file's name and its size as it is on the disk.
    Json position() const;

private:
    std::vector<std::string> metrics_;
    interop::EventFile file_;
};

// Takes away what a run logged after `position` and before it was killed: the run that goes on logs
// it again. Records are cut by their place and not by their update, which a skipped step, an
// epoch's end and the update before them share. Nothing where the position is not of this log.
void cut_log(const std::string& directory, const Json& position);

}  // namespace strata::train
