#include "ui/charts/line_plot.h"

#include <algorithm>
#include <cmath>

#include "ui/charts/decimate.h"

namespace strata::ui {
namespace {

constexpr std::size_t dotsUpTo = 200;  // points in view

}  // namespace

const Series* LineSource::series() const {
    const std::vector<Series>& lines = table().lines;
    return line < lines.size() ? &lines[line] : nullptr;
}

LinePlot::LinePlot(QCPAxis* keyAxis, QCPAxis* valueAxis, const LineSource& source)
    : QCPAbstractPlottable(keyAxis, valueAxis), m_source(source) {
    setSelectable(QCP::stNone);
}

void LinePlot::setLook(const QColor& color, double width, bool dots) {
    setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
    m_width = width;
    m_dots = dots;
}

std::size_t LinePlot::points() const {
    const Series* values = series();
    return values == nullptr ? 0 : std::min(values->size(), keys().size());
}

Extent LinePlot::valueExtent(double from, double to) const {
    if (points() == 0) return {};
    Extent extent = series()->extent(keys().lowerBound(from), keys().upperBound(to));
    extent.low *= m_scale;
    extent.high *= m_scale;
    return extent;
}

std::optional<std::size_t> LinePlot::lastRow(double x) const {
    const std::size_t after = std::min(keys().upperBound(x), points());
    if (after == 0) return std::nullopt;
    return after - 1;
}

std::optional<std::size_t> LinePlot::nearestRow(double x) const {
    const std::size_t count = points();
    if (count == 0) return std::nullopt;
    const std::size_t after = std::min(keys().lowerBound(x), count);
    if (after == 0) return 0;
    if (after == count || x - keys()[after - 1] <= keys()[after] - x) return after - 1;
    return after;
}

QPointF LinePlot::at(std::size_t row) const {
    return {keys()[row], value(row)};
}

QPointF LinePlot::pixelOf(const QPointF& point) const {
    // What a logarithmic axis cannot show stands at its lower end.
    const auto shown = [](const QCPAxis& axis, double v) {
        return axis.scaleType() == QCPAxis::stLogarithmic ? std::max(v, axis.range().lower) : v;
    };
    return {mKeyAxis->coordToPixel(shown(*mKeyAxis, point.x())),
            mValueAxis->coordToPixel(shown(*mValueAxis, point.y()))};
}

QCPRange LinePlot::getKeyRange(bool& found, QCP::SignDomain) const {
    found = points() > 0;
    return found ? QCPRange(keys()[0], keys().last()) : QCPRange();
}

QCPRange LinePlot::getValueRange(bool& found, QCP::SignDomain, const QCPRange& inKeyRange) const {
    const bool all = inKeyRange == QCPRange();
    const double end = std::numeric_limits<double>::infinity();
    const Extent extent =
        all ? valueExtent(-end, end) : valueExtent(inKeyRange.lower, inKeyRange.upper);
    found = !extent.empty();
    return found ? QCPRange(extent.low, extent.high) : QCPRange();
}

void LinePlot::columnEdges() {
    const QRect rect = mKeyAxis->axisRect()->rect();
    m_edges.resize(static_cast<std::size_t>(std::max(rect.width(), 1)) + 1);
    for (std::size_t i = 0; i < m_edges.size(); ++i)
        m_edges[i] = mKeyAxis->pixelToCoord(rect.left() + static_cast<double>(i));
}

void LinePlot::draw(QCPPainter* painter) {
    m_points.clear();
    if (points() == 0) return;
    columnEdges();
    decimate(keys(), *series(), m_edges, m_points);
    // Many points stand in columns, where smooth edges show nothing and cost much.
    const bool dense = m_points.size() > m_edges.size();
    painter->setAntialiasing(!dense);
    QPen pen = mPen;
    if (dense) pen.setWidth(1);
    m_twice = dense && m_width > 1.0;
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    m_run.resize(0);
    for (const QPointF& point : m_points) {
        if (std::isnan(point.y())) {
            drawRun(painter);
            continue;
        }
        m_run.append(pixelOf({point.x(), point.y() * m_scale}));
    }
    drawRun(painter);
}

void LinePlot::drawRun(QCPPainter* painter) {
    if (m_run.size() > 1) painter->drawPolyline(m_run);
    // Two thin lines are painted much quicker than one of two pixels.
    if (m_run.size() > 1 && m_twice) painter->drawPolyline(m_run.translated(0.0, 1.0));
    if ((m_dots && m_points.size() < dotsUpTo) || m_run.size() == 1) {
        painter->save();
        painter->setBrush(mPen.color());
        painter->setPen(Qt::NoPen);
        painter->setAntialiasing(true);
        // The newest value stands at the very end of the axis: its dot whole, not cut in half.
        const double radius = m_dots ? 4.0 : 2.0;
        const int room = static_cast<int>(radius) + 1;
        painter->setClipRect(clipRect().adjusted(-room, -room, room, room));
        for (const QPointF& dot : std::as_const(m_run))
            if (clipRect().adjusted(0, 0, 1, 1).contains(dot.toPoint()))
                painter->drawEllipse(dot, radius, radius);
        painter->restore();
    }
    m_run.resize(0);
}

}  // namespace strata::ui
