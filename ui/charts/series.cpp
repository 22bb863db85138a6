#include "ui/charts/series.h"

#include <algorithm>
#include <cmath>

namespace strata::ui {

void Extent::add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
}

void Extent::add(const Extent& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
}

// Level 0 of the pyramid as seen here is the values themselves.
Extent Series::entry(std::size_t level, std::size_t i) const {
    if (level > 0) return m_levels[level - 1][i];
    Extent extent;
    extent.add(m_values[i]);
    return extent;
}

void Series::append(double value) {
    m_values.append(value);
    std::size_t index = m_values.size() - 1;
    for (std::size_t level = 0; index > 0 || level < m_levels.size(); ++level) {
        index /= fanOut;
        if (level == m_levels.size()) {
            // A new top: its first entry covers all that the level below it has so far.
            m_levels.emplace_back();
            const std::size_t below = level == 0 ? m_values.size() : m_levels[level - 1].size();
            m_levels[level].resize((below + fanOut - 1) / fanOut);
            for (std::size_t i = 0; i < below; ++i)
                m_levels[level][i / fanOut].add(entry(level, i));
        }
        if (index == m_levels[level].size()) m_levels[level].emplace_back();
        m_levels[level][index].add(value);
    }
}

void Series::truncate(std::size_t size) {
    if (size >= m_values.size()) return;
    m_values.truncate(size);
    std::size_t below = size;
    for (std::size_t level = 0; level < m_levels.size(); ++level) {
        auto& entries = m_levels[level];
        entries.resize((below + fanOut - 1) / fanOut);
        if (!entries.empty()) {
            entries.back() = {};
            for (std::size_t i = (entries.size() - 1) * fanOut; i < below; ++i)
                entries.back().add(entry(level, i));
        }
        below = entries.size();
    }
}

void Series::clear() {
    m_values = {};
    m_levels.clear();
}

Extent Series::extent(std::size_t first, std::size_t last) const {
    Extent result;
    last = std::min(last, size());
    for (std::size_t level = 0; first < last; ++level) {
        const bool top = level >= m_levels.size();
        while (first < last && (top || first % fanOut != 0)) result.add(entry(level, first++));
        while (first < last && last % fanOut != 0) result.add(entry(level, --last));
        first /= fanOut;
        last /= fanOut;
    }
    return result;
}

}  // namespace strata::ui
