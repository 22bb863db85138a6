// What is asked of a run while it goes on, taken between two steps: pause, single steps, a
// checkpoint, another learning rate. The trainer's side of Control.
#pragma once

#include <memory>
#include <string>

#include "engine/layers/spec.h"
#include "engine/train/control.h"
#include "engine/train/doctor.h"
#include "engine/train/reporter.h"
#include "engine/train/run_saver.h"
#include "engine/train/stepper.h"

namespace strata::train {

class Requests {
public:
    explicit Requests(std::shared_ptr<Control> control) : control_(std::move(control)) {}

    void start_paused() { control_->command_ = Control::Command::pause; }
    bool stop_asked() const { return control_->stop_; }

    struct Run {
        const checkpoint::TrainingState& state;
        Stepper& stepper;
        RunSaver& saver;
        Reporter& report;
        Doctor* doctor;  // null where there is none
        bool clips;
    };
    // Waits while the run is paused. True: do a step; false: stop.
    bool wait_for_step(const Run& run) { return wait(run, true); }
    // The same between two batches of a validation. A single step is not used up by it: it is for
    // the update that follows.
    bool wait_for_batch(const Run& run) { return wait(run, false); }

private:
    bool wait(const Run& run, bool before_step);
    bool may_go_on(bool before_step);
    void take_changes(const Run& run);
    template <typename Change>
    void take(std::atomic<double>& request, const layers::ParamSpec& rule, const char* name,
              const Run& run, MarkEvent::Kind kind, const Change& change);

    std::shared_ptr<Control> control_;
};

}  // namespace strata::train
