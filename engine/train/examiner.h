// Looks into a running training for the doctor: gradients layer by layer, and what the rectifying
// layers give. Looks as often as 1 % of the steps' time allows. Used by the trainer.
#pragma once

#include <chrono>
#include <cstdint>

#include "engine/data/pipeline.h"
#include "engine/train/doctor.h"
#include "engine/train/prepared_run.h"
#include "engine/train/world.h"

namespace strata::train {

DoctorSetup doctor_setup(const PreparedRun& run);

class Examiner {
public:
    // All outlive it. batch: the executor's largest. Of several ranks each has one, whose calls
    // all make together: rank 0's looks, the others give their share of the gradients.
    Examiner(graph::ModelExecutor& executor, std::int64_t batch, World& world, Doctor& doctor)
        : executor_(executor), full_batch_(batch), world_(world), doctor_(doctor) {}

    void begin_step();
    // values: of an update that was applied. batch: inputs of `size` samples, as accumulate() takes
    // them, null where this rank had none; gradient_scale: 1 / (loss scale * samples of the
    // window). Changes nothing that training depends on. Throws where a rank is lost.
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
    bool is_due(std::int64_t size) const;
    void look(const void* batch, std::int64_t size, double gradient_scale);

    graph::ModelExecutor& executor_;
    std::int64_t full_batch_;
    World& world_;
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
