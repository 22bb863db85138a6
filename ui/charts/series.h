// One line's values, all of them, with a pyramid of minima and maxima over them: the extremes of
// any range are found in the time of a few dozen comparisons, so a million points draw as quickly
// as a thousand and none of the extremes is lost.
#pragma once

#include <limits>
#include <vector>

#include "ui/charts/column.h"

namespace strata::ui {

// Minimum and maximum; low > high: nothing.
struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    bool empty() const { return low > high; }
    void add(double value);  // values that are not finite are left out
    void add(const Extent& other);
    friend bool operator==(const Extent&, const Extent&) = default;
};

class Series {
public:
    static constexpr std::size_t fanOut =
        16;  // values under one entry of the pyramid's lowest level

    std::size_t size() const { return m_values.size(); }
    bool empty() const { return m_values.empty(); }
    double operator[](std::size_t i) const { return m_values[i]; }
    const Column& column() const { return m_values; }
    void append(double value);
    void truncate(std::size_t size);
    void clear();

    // Of the values first..last-1.
    Extent extent(std::size_t first, std::size_t last) const;

private:
    Extent entry(std::size_t level, std::size_t i) const;

    Column m_values;
    std::vector<std::vector<Extent>> m_levels;  // m_levels[k][i]: of 16^(k+1) values
};

}  // namespace strata::ui
