// Requests to a running training, from other threads and from readers of signals and of the control
// file; the trainer takes them between two steps. Lock-free but for warnings.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strata::train {

class Control {
public:
    void pause() {
        command_ = Command::pause;
        wake();
    }
    void resume() {
        command_ = Command::run;
        steps_ = 0;
        wake();
    }
    // Pauses a run that goes on, and lets one that is paused go on.
    void toggle_pause() {
        if (command_.load() == Command::run)
            pause();
        else
            resume();
    }
    // One update, then paused; a validation that stands before it is done first.
    void step() {
        command_ = Command::pause;
        steps_.fetch_add(1);
        wake();
    }
    // Ends after the step, with a checkpoint.
    void stop() {
        stop_ = true;
        wake();
    }
    // A checkpoint after the step.
    void save() {
        save_ = true;
        wake();
    }
    // Settings from the next step on; the last one before it counts. clip_limit is heard only by a
    // run that clips, weight_decay 0 is none.
    void set_learning_rate(double rate) {
        learning_rate_ = rate;
        wake();
    }
    void set_clip_limit(double limit) {
        clip_limit_ = limit;
        wake();
    }
    void set_weight_decay(double decay) {
        weight_decay_ = decay;
        wake();
    }

    // A line of the run's log: a request could not be understood.
    void warn(std::string text) {
        const std::lock_guard lock(mutex_);
        warnings_.push_back(std::move(text));
        wake();
    }

private:
    friend class Requests;
    enum class Command : std::uint8_t { run, pause };
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    void wake() {
        generation_.fetch_add(1);
        generation_.notify_all();
    }
    static std::optional<double> take(std::atomic<double>& request) {
        const double value = request.exchange(none);
        return std::isnan(value) ? std::nullopt : std::optional(value);
    }

    std::vector<std::string> take_warnings() {
        const std::lock_guard lock(mutex_);
        return std::exchange(warnings_, {});
    }

    std::atomic<Command> command_{Command::run};
    std::atomic<int> steps_{0};
    std::atomic<bool> stop_{false}, save_{false};
    std::atomic<double> learning_rate_{none}, clip_limit_{none}, weight_decay_{none};
    std::atomic<std::uint32_t> generation_{0};
    std::mutex mutex_;
    std::vector<std::string> warnings_;  // under mutex_
};

}  // namespace strata::train
