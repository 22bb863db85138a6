// One plot of the charts: a quantity's lines over a chosen x axis, with zoom, read-out, marks and
// labels at the lines' ends. Repaints when it is told to (Charts holds the draw budget) or when the
// person works in it.
#pragma once

#include <QElapsedTimer>
#include <memory>
#include <optional>

#include "ui/charts/line_plot.h"
#include "ui/charts/panel_spec.h"
#include "ui/charts/smoother.h"

namespace strata::ui {

class ChartPanel : public QCustomPlot {
    Q_OBJECT

public:
    ChartPanel(const RunStore& store, Quantity quantity, std::size_t metric = 0,
               QWidget* parent = nullptr);
    ~ChartPanel() override;

    static QSize leastSize();  // grows with the system's text

    Quantity quantity() const { return m_quantity; }
    void setXAxis(XAxis axis);
    void setLogX(bool on);
    void setLogY(bool on);  // a stack stays linear
    void setSmoothing(double weight);
    void setFollow(bool on);  // a zoomed view that reaches the live end moves along with it
    void fit();
    void stepBack();
    bool canStepBack() const { return !m_history.empty(); }
    bool isZoomed() const { return m_view.has_value(); }

    void setDirty() { m_dirty = true; }
    bool isDirty() const { return m_dirty; }
    // Brings lines and ranges up to date and paints: at once, or with the window's next frame.
    void refresh(QCustomPlot::RefreshPriority priority = QCustomPlot::rpImmediateRefresh);
    void rebuild();  // another language, theme or list of metrics
    // Moves the read-out to x; its text, one line a value. Empty where there is nothing.
    QString showReadout(double x);
    void hideReadout();
    QString fullTitle() const;  // with the unit and whose it is
    LinePlot* line(std::size_t i, bool smoothed = false) const;

Q_SIGNALS:
    void viewChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Line {
        LineSpec spec;
        LinePlot *raw = nullptr, *smooth = nullptr;
        std::unique_ptr<Series> smoothed;
        Smoother smoother{0.0};
        std::size_t generation = 0;
        double weight = -1.0;  // that `smoothed` was made with
    };
    struct View {
        QCPRange x, y;
    };
    struct EndLabel {
        QString text;
        QColor color;
        double y = 0.0;  // pixels
        QColor swatch = {};
    };
    struct ReadoutRow {
        QString name, value;
        QColor color;
        QPointF pixel;
    };

    // chart_panel.cpp: lines and ranges
    void styleAxes();
    void syncSmoothed(Line& line) const;
    void updateRanges();
    void updateUnit();
    void updateTicker();
    QCPRange dataRange() const;  // of x
    QCPRange valueRange(const QCPRange& x) const;
    double memoryTop() const;
    double noteRoom() const;
    static int labelHeight();
    static int titleHeight();
    void replotNow();
    // What a memory panel shows: metric 0: all devices together, else the metric's of them.
    train::PlanEvent::Device planned() const;
    double limit() const { return static_cast<double>(planned().memory_limit); }

    // chart_panel_paint.cpp
    void addPainters();
    void paintTitle(QCPPainter& painter) const;
    void paintStack(QCPPainter& painter) const;
    void paintNote(QCPPainter& painter, const QRectF& place, int flags, const QString& text,
                   const QColor& ink) const;
    void paintLimit(QCPPainter& painter) const;
    void paintNotes(QCPPainter& painter, bool limitInside) const;
    void paintMarks(QCPPainter& painter) const;  // chart_panel_marks.cpp
    void paintTold(QCPPainter& painter, const std::vector<const Mark*>& marks, int top) const;
    double markPixel(const Mark& mark) const;
    void paintLabels(QCPPainter& painter) const;
    void paintReadout(QCPPainter& painter) const;
    void paintBox(QCPPainter& painter, const QString& head, const std::vector<ReadoutRow>& rows,
                  double x) const;
    std::vector<EndLabel> endLabels() const;
    void updateMargins();
    QString invitation() const;

    // chart_panel_input.cpp
    void zoomTo(const View& view, bool remember);
    void zoomAround(const QPointF& pixel, double factor, bool x, bool y);
    void pan(const QPoint& to);
    void dropView();
    std::vector<ReadoutRow> readoutRows() const;
    QString readoutHead() const;
    void moveReadout(int rows);

    const RunStore& m_store;
    Quantity m_quantity;
    std::size_t m_metric;
    PanelSpec m_spec;
    std::vector<Line> m_lines;
    XAxis m_axis = XAxis::update;
    bool m_logX = false, m_logY = false, m_follow = true, m_dirty = true;
    bool m_focusFrame = false;  // reached by the keyboard
    double m_smoothing = 0.0;
    ByteUnit m_unit;
    int m_labelWidth = 0;

    std::optional<View> m_view;  // nothing: all points
    bool m_sliding = false;      // the view reached the live end when it was chosen
    std::vector<std::optional<View>> m_history;
    QElapsedTimer m_lastWheel;
    std::optional<double> m_readout;  // x
    enum class Drag { none, box, pan } m_drag = Drag::none;
    QPoint m_pressed, m_dragged;
};

}  // namespace strata::ui
