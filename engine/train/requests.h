// What is asked of a run while it goes on, taken between two steps: pause, single steps, a
// checkpoint, another learning rate. The trainer's side of Control.
#pragma once

#include <memory>
#include <optional>
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
        World& world;
    };
    // Waits while the run is paused. True: do a step; false: stop. All ranks together.
    bool wait_for_step(const Run& run) {
        return run.world.size() > 1 ? wait_together(run) : wait(run, true);
    }
    // The same between two batches of a validation. A single step is not used up by it: it is for
    // the update that follows. Several ranks do not pause there.
    bool wait_for_batch(const Run& run) {
        return run.world.size() > 1 ? !stop_asked() : wait(run, false);
    }

private:
    // What all ranks do next, as rank 0 is asked to; any of them may be asked to stop.
    struct Order;

    bool wait(const Run& run, bool before_step);
    bool wait_together(const Run& run);
    Order order_of_this_rank(const Run& run);
    void tell_paused(const Run& run) const;
    bool may_go_on(bool before_step);
    void take_changes(const Run& run);
    // The value that is asked for, where the rule allows it.
    std::optional<double> taken(std::atomic<double>& request, const layers::ParamSpec& rule,
                                const char* name, const Run& run);
    void change(const Run& run, const std::optional<double>& learning_rate,
                const std::optional<double>& clip_limit, const std::optional<double>& weight_decay);

    std::shared_ptr<Control> control_;
};

}  // namespace strata::train
