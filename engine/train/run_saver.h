// The checkpoints of a running training: takes snapshots by the keeper's rule, lets the writer's
// thread do the rest, and tells what became of them. Used by the trainer.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/checkpoint/writer.h"
#include "engine/core/error.h"
#include "engine/train/reporter.h"

namespace strata::train {

class RunSaver {
public:
    // All outlive it. end: its run directory is there; gets the checkpoint's path. Rank 0 alone
    // writes; the others make the same calls but for has_due(), and take part in its snapshots.
    RunSaver(PreparedRun& run, checkpoint::TrainingState& state, Stepper& stepper, Reporter& report,
             EndEvent& end);

    // Of the run, on rank 0, before the first step. Throws Error{io}.
    void write_project(const std::string& path, const std::string& text);

    // After a step: tells what was written, and saves where the rule says so.
    void save_if_due(const std::function<EpochValues()>& values_so_far);
    // Of several ranks: what save_if_due() found, until all save it.
    bool has_due() const { return due_.has_value(); }
    void save_due();
    // Takes a snapshot now. wait: until it is on the disk.
    void save(std::vector<checkpoint::Target> targets, bool wait);
    void finish();  // waits for all, and tells of it
    // Throws Error{io} where last.h5 could not be written the last time.
    void require_last() const;

    // ---- early stopping: its best weights stay in memory and in a file of their own, from which a
    // resumed run takes them again
    checkpoint::Target keep_weights();
    // In the file of their own, or in a checkpoint of the end of that epoch: a run that was killed
    // may have written one of the two alone.
    void find_kept_weights(const std::string& resumed_from);
    // last.h5 goes on with training; what is put back is a model, not a place in a training.
    void put_back_best();

    // The averaged weights as a model of their own.
    void save_average();

private:
    void tell_written();
    void share_kept_weights();
    std::string path_of(const char* name) const;
    bool take_kept_weights(const std::string& path, std::int64_t epoch);

    PreparedRun& run_;
    checkpoint::TrainingState& state_;
    Stepper& stepper_;
    Reporter& report_;
    EndEvent& end_;
    std::optional<checkpoint::Writer> writer_;  // of rank 0
    std::optional<checkpoint::Target> due_;
    std::vector<graph::HostTensor> kept_weights_;
    bool kept_is_written_ = false;       // as they are now
    std::optional<Error> last_failure_;  // of last.h5
    std::set<std::string> failing_;      // files that could not be written the last time
    std::chrono::steady_clock::time_point last_saved_ = std::chrono::steady_clock::now();
};

}  // namespace strata::train
