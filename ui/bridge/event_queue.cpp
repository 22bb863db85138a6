#include "ui/bridge/event_queue.h"

#include <utility>

namespace strata::ui {

void EventQueue::push(const train::Event& event) {
    const bool step = std::holds_alternative<train::StepEvent>(event);
    const std::lock_guard lock(m_mutex);
    if (step && m_steps >= stepLimit) {
        ++m_batch.dropped;
        return;
    }
    m_batch.events.push_back(event);
    if (step) ++m_steps;
}

EventQueue::Batch EventQueue::take() {
    const std::lock_guard lock(m_mutex);
    m_steps = 0;
    return std::exchange(m_batch, {});
}

}  // namespace strata::ui
