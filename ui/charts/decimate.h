// What of a line a screen can show. Called by LinePlot at each repaint.
#pragma once

#include <QPointF>
#include <vector>

#include "ui/charts/series.h"

namespace strata::ui {

// Writes the line's visible part to `line`, in the axes' units. edges: the x of the pixel columns'
// borders, rising (one more than there are columns). Up to four points a column (first, lowest,
// highest, last) where it holds more, each of the values themselves where it does not: the drawn
// line covers the same pixels as one through all points. One point beyond either side is included,
// so that the line reaches the border. A value that is not finite is written as NaN: a gap.
void decimate(const Column& x, const Series& y, const std::vector<double>& edges,
              std::vector<QPointF>& line);

}  // namespace strata::ui
