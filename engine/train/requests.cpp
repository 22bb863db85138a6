#include "engine/train/requests.h"

#include "engine/core/error.h"
#include "engine/layers/text.h"
#include "engine/train/live_settings.h"

namespace strata::train {

bool Requests::may_go_on(bool before_step) {
    if (control_->command_.load() == Control::Command::run) return true;
    int steps = control_->steps_.load();
    if (!before_step) return steps > 0;
    // resume() may set it to 0 meanwhile: it must not fall below.
    while (steps > 0 && !control_->steps_.compare_exchange_weak(steps, steps - 1)) {
    }
    return steps > 0;
}

bool Requests::wait(const Run& run, bool before_step) {
    bool told = false;
    while (!stop_asked()) {
        // First: what is asked for after this ends the wait below.
        const std::uint32_t seen = control_->generation_.load();
        take_changes(run);
        if (control_->save_.exchange(false)) run.saver.save({CheckpointKeeper::last()}, true);
        if (may_go_on(before_step)) {
            if (told && control_->command_.load() == Control::Command::run)
                run.report.emit(StateEvent{RunState::running});
            return true;
        }
        if (!told) {
            run.report.rate.pause();
            run.report.flush();
            run.report.emit(StateEvent{RunState::paused});
            run.report.mark(MarkEvent::Kind::paused, run.state.update, 0.0, "paused");
            told = true;
        }
        if (!stop_asked()) control_->generation_.wait(seen);
        run.report.rate.start();
    }
    return false;
}

// change: true where the run has that setting.
template <typename Change>
void Requests::take(std::atomic<double>& request, const layers::ParamSpec& rule, const char* name,
                    const Run& run, MarkEvent::Kind kind, const Change& change) {
    const auto value = Control::take(request);
    if (!value) return;
    try {
        checked(rule, *value, name);
    } catch (const Error& error) {
        return run.report.warn(std::string("Not changed: ") + error.what());
    }
    if (change(*value))
        run.report.mark(kind, run.state.update, *value,
                        std::string(name) + " set to " + layers::number_text(*value));
}

void Requests::take_changes(const Run& run) {
    using Kind = MarkEvent::Kind;
    for (std::string& warning : control_->take_warnings()) run.report.warn(std::move(warning));
    take(control_->learning_rate_, learning_rate_rule(), "learning rate", run, Kind::learning_rate,
         [&](double rate) {
             if (run.doctor != nullptr && rate > run.stepper.learning_rate())
                 run.doctor->learning_rate_raised();
             run.stepper.set_learning_rate(rate);
             return true;
         });
    take(control_->clip_limit_, clip_limit_rule(), "clipping limit", run, Kind::clip_limit,
         [&](double limit) {
             if (run.clips)
                 run.stepper.set_clip_limit(limit);
             else
                 run.report.warn(
                     "This run does not clip its gradients, so there is no limit to change");
             return run.clips;
         });
    take(control_->weight_decay_, weight_decay_rule(), "weight decay", run, Kind::weight_decay,
         [&](double decay) {
             run.stepper.set_weight_decay(decay);
             return true;
         });
}

}  // namespace strata::train
