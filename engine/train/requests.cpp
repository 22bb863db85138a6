#include "engine/train/requests.h"

#include <array>
#include <chrono>
#include <thread>
#include <utility>

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

void Requests::tell_paused(const Run& run) const {
    run.report.rate.pause();
    run.report.flush();
    run.report.emit(StateEvent{RunState::paused});
    run.report.mark(MarkEvent::Kind::paused, run.state.update, 0.0, "paused");
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
        if (!std::exchange(told, true)) tell_paused(run);
        if (!stop_asked()) control_->generation_.wait(seen);
        run.report.rate.start();
    }
    return false;
}

// ---- several ranks

struct Requests::Order {
    static constexpr double none = -1.0;  // below all values that can be asked for

    double stop = 0.0, step = 0.0, save = 0.0, save_due = 0.0, tell_devices = 0.0;
    double learning_rate = none, clip_limit = none, weight_decay = none;

    using Numbers = std::array<double, 8>;
    Numbers numbers() const {
        return {stop, step, save, save_due, tell_devices, learning_rate, clip_limit, weight_decay};
    }
    static Order of(const Numbers& all) {
        return {all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]};
    }
    static std::optional<double> given(double value) {
        return value == none ? std::nullopt : std::optional(value);
    }
};

Requests::Order Requests::order_of_this_rank(const Run& run) {
    Order order;
    order.stop = stop_asked() ? 1.0 : 0.0;
    if (!run.world.leads()) return order;
    for (std::string& warning : control_->take_warnings()) run.report.warn(std::move(warning));
    order.learning_rate =
        taken(control_->learning_rate_, learning_rate_rule(), "learning rate", run)
            .value_or(Order::none);
    order.clip_limit = taken(control_->clip_limit_, clip_limit_rule(), "clipping limit", run)
                           .value_or(Order::none);
    order.weight_decay = taken(control_->weight_decay_, weight_decay_rule(), "weight decay", run)
                             .value_or(Order::none);
    order.save = control_->save_.exchange(false) ? 1.0 : 0.0;
    order.save_due = run.saver.has_due() ? 1.0 : 0.0;
    order.tell_devices = run.report.has_readings() ? 1.0 : 0.0;
    order.step = may_go_on(true) ? 1.0 : 0.0;
    return order;
}

// Nobody waits for long: the others are asked again and again while rank 0 pauses.
bool Requests::wait_together(const Run& run) {
    for (bool told = false;;) {
        Order::Numbers largest = order_of_this_rank(run).numbers();
        run.world.largest(largest);
        const Order all = Order::of(largest);
        change(run, Order::given(all.learning_rate), Order::given(all.clip_limit),
               Order::given(all.weight_decay));
        if (all.save_due > 0.0) run.saver.save_due();
        if (all.save > 0.0) run.saver.save({CheckpointKeeper::last()}, false);
        if (all.tell_devices > 0.0) run.report.monitor_ranks(run.state.update, run.world);
        if (all.stop > 0.0) return false;
        if (all.step > 0.0) {
            if (told && control_->command_.load() == Control::Command::run)
                run.report.emit(StateEvent{RunState::running});
            if (told) run.report.rate.start();
            return true;
        }
        if (!std::exchange(told, true)) tell_paused(run);
        std::this_thread::sleep_for(std::chrono::milliseconds(run.world.leads() ? 50 : 0));
    }
}

// ---- changes

std::optional<double> Requests::taken(std::atomic<double>& request, const layers::ParamSpec& rule,
                                      const char* name, const Run& run) {
    const auto value = Control::take(request);
    if (!value) return value;
    try {
        checked(rule, *value, name);
        return value;
    } catch (const Error& error) {
        run.report.warn(std::string("Not changed: ") + error.what());
        return std::nullopt;
    }
}

void Requests::take_changes(const Run& run) {
    for (std::string& warning : control_->take_warnings()) run.report.warn(std::move(warning));
    const auto rate = taken(control_->learning_rate_, learning_rate_rule(), "learning rate", run);
    const auto limit = taken(control_->clip_limit_, clip_limit_rule(), "clipping limit", run);
    const auto decay = taken(control_->weight_decay_, weight_decay_rule(), "weight decay", run);
    change(run, rate, limit, decay);
}

void Requests::change(const Run& run, const std::optional<double>& learning_rate,
                      const std::optional<double>& clip_limit,
                      const std::optional<double>& weight_decay) {
    using Kind = MarkEvent::Kind;
    const auto mark = [&](Kind kind, const char* name, double value) {
        run.report.mark(kind, run.state.update, value,
                        std::string(name) + " set to " + layers::number_text(value));
    };
    if (learning_rate) {
        if (run.doctor != nullptr && *learning_rate > run.stepper.learning_rate())
            run.doctor->learning_rate_raised();
        run.stepper.set_learning_rate(*learning_rate);
        mark(Kind::learning_rate, "learning rate", *learning_rate);
    }
    if (clip_limit && !run.clips)
        run.report.warn("This run does not clip its gradients, so there is no limit to change");
    if (clip_limit && run.clips) {
        run.stepper.set_clip_limit(*clip_limit);
        mark(Kind::clip_limit, "clipping limit", *clip_limit);
    }
    if (weight_decay) {
        run.stepper.set_weight_decay(*weight_decay);
        mark(Kind::weight_decay, "weight decay", *weight_decay);
    }
}

}  // namespace strata::train
