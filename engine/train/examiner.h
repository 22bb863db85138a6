// Looks into a running training for the doctor: gradients layer by layer, and what the rectifying
// layers give. Looks as often as 1 % of the steps' time allows. Used by the trainer.
#pragma once

#include <chrono>
#include <cstdint>

#include "engine/data/pipeline.h"
#include "engine/train/doctor.h"
#include "engine/train/prepared_run.h"

namespace strata::train {

DoctorSetup doctor_setup(const PreparedRun& run);

class Examiner {
public:
    // Both outlive it. batch: the executor's largest. alone: no other process trains, too; else
    // gradients are not looked at, which would take all processes.
    Examiner(graph::ModelExecutor& executor, std::int64_t batch, bool alone, Doctor& doctor)
        : executor_(executor), full_batch_(batch), alone_(alone), doctor_(doctor) {}

    void begin_step();
    // values: of an update that was applied. batch: inputs of `size` samples, as accumulate() takes
    // them; gradient_scale: 1 / (loss scale * samples of the window). Changes nothing that training
    // depends on.
    void after_step(const StepValues& values, const void* batch, std::int64_t size,
                    double gradient_scale);
    // About once a second, to be called after each step.
    void look_at_pipeline(const data::Pipeline& pipeline);

    std::int64_t looks() const { return looks_; }
    double own_seconds() const { return own_; }  // in all, of looking and judging

private:
    using Clock = std::chrono::steady_clock;
    static double since(Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }
    void look(const void* batch, std::int64_t size, double gradient_scale);

    graph::ModelExecutor& executor_;
    std::int64_t full_batch_;
    bool alone_;
    Doctor& doctor_;
    Clock::time_point step_began_;
    std::int64_t steps_since_ = 0, looks_ = 0;
    double credit_ = 0.0;  // seconds that it may take
    double cost_ = 0.0;    // of a look
    double own_ = 0.0;
    double step_seconds_ = 0.0;  // since the pipeline was looked at
    double waited_before_ = 0.0;
};

}  // namespace strata::train
