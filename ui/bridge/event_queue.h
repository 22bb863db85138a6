// The trainer's events on their way to the window. Bounded: steps that a window which does not
// answer would pile up are counted and left out. Used by EngineThread; both sides may call it at
// once.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "engine/train/events.h"

namespace strata::ui {

class EventQueue {
public:
    // About 20 MB; minutes of the fastest runs. The run's log on disk has every step in any case.
    static constexpr std::size_t stepLimit = 1U << 16;

    struct Batch {
        std::vector<train::Event> events;
        std::size_t dropped = 0;  // steps left out since the last take()
    };

    void push(const train::Event& event);
    Batch take();

private:
    std::mutex m_mutex;
    Batch m_batch;            // guarded by m_mutex
    std::size_t m_steps = 0;  // guarded by m_mutex: steps among the events
};

}  // namespace strata::ui
