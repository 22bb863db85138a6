// When the charts may paint again: at most 30 times a second, and so rarely that painting takes no
// more than about one per cent of the time. The first paint of a run is due at once. Times in
// seconds of any steady clock.
#pragma once

#include <algorithm>

namespace strata::ui {

class DrawBudget {
public:
    static constexpr double shortestWait = 1.0 / 30.0;
    static constexpr double share = 0.01;  // of wall time

    void reset() { m_due = 0.0; }
    // Painting ended at `now` and took `cost`.
    void painted(double now, double cost) {
        m_due = now + std::max(shortestWait, cost * (1.0 / share - 1.0));
    }
    double wait(double now) const { return std::max(0.0, m_due - now); }

private:
    double m_due = 0.0;
};

}  // namespace strata::ui
