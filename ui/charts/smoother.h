// A running mean that forgets: s = weight s + (1 - weight) value, divided by 1 - weight^n, so that
// the first values are not drawn to zero (the bias correction of Adam, Kingma and Ba 2015). Values
// that are not finite pass through and leave no trace.
#pragma once

#include <cmath>

namespace strata::ui {

class Smoother {
public:
    explicit Smoother(double weight) : m_weight(weight) {}

    double next(double value) {
        if (!std::isfinite(value)) return value;
        m_mean = m_weight * m_mean + (1.0 - m_weight) * value;
        m_share *= m_weight;
        return m_mean / (1.0 - m_share);
    }

private:
    double m_weight;  // 0 (none) to below 1
    double m_mean = 0.0, m_share = 1.0;
};

}  // namespace strata::ui
