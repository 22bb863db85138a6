// A line of a table of the store as a plottable: decimates by minimum and maximum itself, copies
// nothing. Owned by its plot.
#pragma once

#include <QPointF>
#include <QPolygonF>

#include "ui/charts/qcp.h"
#include "ui/charts/run_store.h"

namespace strata::ui {

// Where a line's values are; resolved at each use, since the store may have been emptied in
// between.
struct LineSource {
    const RunStore* store = nullptr;
    Rows rows = Rows::steps;
    std::size_t line = 0;

    const Table& table() const { return store->table(rows); }
    const Series* series() const;  // nullptr where the run has no such line
};

class LinePlot : public QCPAbstractPlottable {
public:
    LinePlot(QCPAxis* keyAxis, QCPAxis* valueAxis, const LineSource& source);

    void setXAxis(XAxis axis) { m_axis = axis; }
    void setScale(double scale) { m_scale = scale; }  // of the values: bytes to GiB
    void setInstead(const Series* series) {
        m_instead = series;
    }  // drawn in place of the source's values
    void setLook(const QColor& color, double width, bool dots);

    const LineSource& source() const { return m_source; }
    std::size_t points() const;                        // that there are
    Extent valueExtent(double from, double to) const;  // scaled, of the x range
    // The row that is nearest to x, or the last one not right of it.
    std::optional<std::size_t> nearestRow(double x) const;
    std::optional<std::size_t> lastRow(double x) const;
    QPointF at(std::size_t row) const;
    double value(std::size_t row) const { return (*series())[row] * m_scale; }
    QPointF pixelOf(const QPointF& point) const;

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange& inKeyRange) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    const Series* series() const { return m_instead != nullptr ? m_instead : m_source.series(); }
    const Column& keys() const { return m_source.table().axis(m_axis); }
    void columnEdges();
    void drawRun(QCPPainter* painter);

    LineSource m_source;
    const Series* m_instead = nullptr;
    XAxis m_axis = XAxis::update;
    double m_scale = 1.0, m_width = 1.0;
    bool m_dots = false, m_twice = false;
    // Kept between repaints, so that none allocates.
    std::vector<double> m_edges;
    std::vector<QPointF> m_points;
    QPolygonF m_run;
};

}  // namespace strata::ui
