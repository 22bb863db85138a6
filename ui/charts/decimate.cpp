#include "ui/charts/decimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strata::ui {
namespace {

constexpr std::size_t pointsAColumn = 4;

void addPoint(double x, double y, std::vector<QPointF>& line) {
    line.emplace_back(x, std::isfinite(y) ? y : std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

void decimate(const Column& x, const Series& y, const std::vector<double>& edges,
              std::vector<QPointF>& line) {
    line.clear();
    const std::size_t size = std::min(x.size(), y.size());
    if (size == 0 || edges.size() < 2) return;
    std::size_t first = std::min(x.lowerBound(edges.front()), size);
    const std::size_t end = std::min(x.upperBound(edges.back(), first), size);
    if (first > 0) addPoint(x[first - 1], y[first - 1], line);
    if (end - first <= pointsAColumn * edges.size()) {
        for (; first < end; ++first) addPoint(x[first], y[first], line);
    }
    for (std::size_t column = 0; column + 1 < edges.size() && first < end; ++column) {
        const bool rightmost = column + 2 == edges.size();
        const std::size_t next =
            rightmost ? end : std::min(x.lowerBound(edges[column + 1], first), end);
        if (next - first <= pointsAColumn) {
            for (; first < next; ++first) addPoint(x[first], y[first], line);
            continue;
        }
        const Extent extent = y.extent(first, next);
        const double middle = 0.5 * (x[first] + x[next - 1]);
        addPoint(x[first], y[first], line);
        if (!extent.empty()) {
            addPoint(middle, extent.low, line);
            addPoint(middle, extent.high, line);
        }
        addPoint(x[next - 1], y[next - 1], line);
        first = next;
    }
    if (end < size) addPoint(x[end], y[end], line);
}

}  // namespace strata::ui
