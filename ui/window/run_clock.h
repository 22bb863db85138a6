// What the run bar shows of time: elapsed, left and progress of a run. Plain arithmetic on the
// engine's events; pauses do not count as work. It counts samples: updates may be of another size
// where a run goes on with other replicas or processes.
#pragma once

#include <QElapsedTimer>
#include <cstdint>
#include <optional>

#include "engine/train/events.h"

namespace strata::ui {

class RunClock {
public:
    void begin();  // a new run, at preparing
    void setState(train::RunState state);
    void plan(const train::PlanEvent& plan);
    void setSamples(std::int64_t samples) { m_samples = samples; }  // seen by the whole run

    double progress() const;             // 0..1
    double elapsed() const;              // seconds of work since begin()
    std::optional<double> left() const;  // seconds; empty until it can be said

private:
    QElapsedTimer m_timer;
    double m_worked = 0.0;  // seconds before the present stretch
    double m_workedAtPlan = 0.0;
    bool m_working = false;
    std::int64_t m_first = 0, m_samples = 0, m_all = 0;  // m_all: 0 while unknown
};

}  // namespace strata::ui
