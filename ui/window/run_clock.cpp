#include "ui/window/run_clock.h"

#include <algorithm>

namespace strata::ui {

void RunClock::begin() {
    *this = RunClock();
    m_timer.start();
    m_working = true;
}

void RunClock::setState(train::RunState state) {
    using train::RunState;
    const bool works = state == RunState::preparing || state == RunState::running ||
                       state == RunState::pausing || state == RunState::stopping;
    if (works == m_working) return;
    if (m_working) m_worked += static_cast<double>(m_timer.elapsed()) / 1000.0;
    m_working = works;
    m_timer.restart();
}

void RunClock::plan(const train::PlanEvent& plan) {
    m_all = plan.epochs * plan.train_samples;
    m_first = m_samples = plan.first_sample;
    m_workedAtPlan = elapsed();
}

double RunClock::progress() const {
    if (m_all <= 0) return 0.0;
    return std::clamp(static_cast<double>(m_samples) / static_cast<double>(m_all), 0.0, 1.0);
}

double RunClock::elapsed() const {
    return m_worked + (m_working ? static_cast<double>(m_timer.elapsed()) / 1000.0 : 0.0);
}

std::optional<double> RunClock::left() const {
    const std::int64_t done = m_samples - m_first;
    if (done <= 0 || m_all <= 0) return {};
    const double each = (elapsed() - m_workedAtPlan) / static_cast<double>(done);
    return each * static_cast<double>(std::max<std::int64_t>(m_all - m_samples, 0));
}

}  // namespace strata::ui
