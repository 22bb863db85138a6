// How a person works in a panel: zoom, moving, stepping back, read-out.
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_panel.h"
#include "ui/charts/mark_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr std::size_t longestHistory = 100;
constexpr qint64 wheelPause = 500;  // ms; turns within it are one step of the history

QString exactly(double value) {
    if (!std::isfinite(value)) return formatNumber(value);
    return QLocale().toString(value, 'g', QLocale::FloatingPointShortest);
}

QCPRange around(const QCPRange& range, double centre, double factor, bool logarithmic) {
    if (!logarithmic)
        return {centre + (range.lower - centre) * factor, centre + (range.upper - centre) * factor};
    return {centre * std::pow(range.lower / centre, factor),
            centre * std::pow(range.upper / centre, factor)};
}

QCPRange shifted(const QCPAxis& axis, double fromPixel, double toPixel) {
    const double from = axis.pixelToCoord(fromPixel), to = axis.pixelToCoord(toPixel);
    const QCPRange& range = axis.range();
    if (axis.scaleType() == QCPAxis::stLinear)
        return {range.lower - (to - from), range.upper - (to - from)};
    return {range.lower * from / to, range.upper * from / to};
}

}  // namespace

void ChartPanel::zoomTo(const View& view, bool remember) {
    if (!QCPRange::validRange(view.x) || !QCPRange::validRange(view.y)) return;
    if ((m_logX && view.x.lower <= 0.0) || (m_logY && view.y.lower <= 0.0)) return;
    if (remember) m_history.push_back(m_view);
    if (m_history.size() > longestHistory) m_history.erase(m_history.begin());
    m_view = view;
    m_sliding = view.x.upper >= dataRange().upper;
    replotNow();
    Q_EMIT viewChanged();
}

void ChartPanel::fit() {
    if (!m_view) return;
    m_history.push_back(m_view);
    m_view.reset();
    replotNow();
    Q_EMIT viewChanged();
}

void ChartPanel::stepBack() {
    if (m_history.empty()) return;
    m_view = m_history.back();
    m_history.pop_back();
    m_sliding = m_view && m_view->x.upper >= dataRange().upper;
    replotNow();
    Q_EMIT viewChanged();
}

// Views of other units are of no use.
void ChartPanel::dropView() {
    m_view.reset();
    m_history.clear();
    replotNow();
    Q_EMIT viewChanged();
}

void ChartPanel::zoomAround(const QPointF& pixel, double factor, bool x, bool y) {
    View view{xAxis->range(), yAxis->range()};
    if (x) view.x = around(view.x, xAxis->pixelToCoord(pixel.x()), factor, m_logX);
    if (y) view.y = around(view.y, yAxis->pixelToCoord(pixel.y()), factor, m_logY);
    const bool first = !m_lastWheel.isValid() || m_lastWheel.elapsed() > wheelPause;
    m_lastWheel.start();
    zoomTo(view, first);
}

void ChartPanel::wheelEvent(QWheelEvent* event) {
    if (!xAxis->visible()) return;
    const QRect rect = axisRect()->rect();
    const QPointF at = event->position();
    const double turns = event->angleDelta().y() / 120.0;
    if (turns == 0.0) return;
    // Over an axis' numbers only that axis changes.
    zoomAround(at, std::pow(0.85, turns), at.x() >= rect.left(), at.y() <= rect.bottom());
    event->accept();
}

void ChartPanel::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    m_pressed = m_dragged = event->pos();
    if (!xAxis->visible() || !axisRect()->rect().contains(event->pos())) return;
    const bool left = event->button() == Qt::LeftButton;
    if (event->button() == Qt::MiddleButton ||
        (left && event->modifiers().testFlag(Qt::ShiftModifier))) {
        m_drag = Drag::pan;
        m_history.push_back(m_view);
        setCursor(Qt::ClosedHandCursor);
    } else if (left) {
        m_drag = Drag::box;
    }
}

void ChartPanel::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag == Drag::box) {
        m_dragged = event->pos();
        layer("overlay")->replot();
    } else if (m_drag == Drag::pan) {
        pan(event->pos());
    } else if (axisRect()->rect().contains(event->pos())) {
        showReadout(xAxis->pixelToCoord(event->pos().x()));
    } else {
        hideReadout();
    }
}

void ChartPanel::pan(const QPoint& to) {
    const View view{shifted(*xAxis, m_dragged.x(), to.x()), shifted(*yAxis, m_dragged.y(), to.y())};
    m_dragged = to;
    zoomTo(view, false);
}

void ChartPanel::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = m_drag;
    m_drag = Drag::none;
    unsetCursor();
    if (drag != Drag::box) return;
    const QRect box = QRect(m_pressed, event->pos()).normalized() & axisRect()->rect();
    if (box.width() < 5 || box.height() < 5) {
        layer("overlay")->replot();
        return;
    }
    zoomTo({QCPRange(xAxis->pixelToCoord(box.left()), xAxis->pixelToCoord(box.right())),
            QCPRange(yAxis->pixelToCoord(box.bottom()), yAxis->pixelToCoord(box.top()))},
           true);
}

void ChartPanel::mouseDoubleClickEvent(QMouseEvent* event) {
    m_drag = Drag::none;
    if (event->button() == Qt::LeftButton) fit();
}

void ChartPanel::keyPressEvent(QKeyEvent* event) {
    const QPointF centre = axisRect()->rect().center();
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomAround(centre, 0.7, true, false);
            break;
        case Qt::Key_Minus:
            zoomAround(centre, 1.0 / 0.7, true, false);
            break;
        case Qt::Key_Home:
            fit();
            break;
        case Qt::Key_Backspace:
            stepBack();
            break;
        case Qt::Key_Left:
            moveReadout(-1);
            break;
        case Qt::Key_Right:
            moveReadout(1);
            break;
        case Qt::Key_PageUp:
            moveReadout(-100);
            break;
        case Qt::Key_PageDown:
            moveReadout(100);
            break;
        case Qt::Key_Escape:
            if (!m_readout) QWidget::keyPressEvent(event);
            hideReadout();
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

void ChartPanel::moveReadout(int rows) {
    const Column& keys = m_store.steps().axis(m_axis);
    if (keys.empty()) return;
    const std::size_t size = keys.size();
    std::size_t row = size - 1;
    if (m_readout) {
        const auto now = static_cast<std::ptrdiff_t>(keys.lowerBound(*m_readout));
        row = static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(now + rows, 0, static_cast<std::ptrdiff_t>(size) - 1));
    }
    showReadout(keys[row]);
}

QString ChartPanel::showReadout(double x) {
    const Column& keys = m_store.steps().axis(m_axis);
    if (keys.empty() || m_quantity == Quantity::memory) return {};
    const std::size_t after = std::min(keys.lowerBound(x), keys.size() - 1);
    const bool before = after > 0 && x - keys[after - 1] < keys[after] - x;
    m_readout = keys[before ? after - 1 : after];
    QStringList text{readoutHead()};
    for (const ReadoutRow& row : readoutRows()) text << row.name + QChar(' ') + row.value;
    setAccessibleDescription(text.join('\n'));
    layer("overlay")->replot();
    return text.join('\n');
}

void ChartPanel::hideReadout() {
    if (!m_readout) return;
    m_readout.reset();
    layer("overlay")->replot();
}

QString ChartPanel::readoutHead() const {
    const Table& steps = m_store.steps();
    const std::size_t row = std::min(steps.axis(m_axis).lowerBound(*m_readout), steps.rows() - 1);
    const auto update = static_cast<std::int64_t>(steps.x[0][row]);
    QString head = tr("update %1 · epoch %2 · %3")
                       .arg(formatCount(update), QLocale().toString(steps.x[1][row], 'f', 2),
                            formatDuration(steps.x[3][row]));
    for (const Mark& mark : m_store.marks())
        if (mark.update == update) head += QStringLiteral(" · ") + markText(mark);
    return head;
}

std::vector<ChartPanel::ReadoutRow> ChartPanel::readoutRows() const {
    std::vector<ReadoutRow> rows;
    for (const Line& line : m_lines) {
        const auto row = line.raw->nearestRow(*m_readout);
        if (!row) continue;
        QString name = line.spec.name;
        const QPointF point = line.raw->at(*row);
        if (line.spec.rows == Rows::epochs && point.x() != *m_readout)
            name = tr("%1 (update %2)")
                       .arg(name, formatCount(static_cast<std::int64_t>(
                                      line.raw->source().table().x[0][*row])));
        const double value = (*line.raw->source().series())[*row];
        const auto bytes =
            static_cast<std::uint64_t>(m_spec.bytes && std::isfinite(value) ? value : 0.0);
        rows.push_back({name, m_spec.bytes ? formatBytes(bytes) : exactly(value), line.spec.color,
                        line.raw->pixelOf(point)});
        if (line.smooth == nullptr || !line.smooth->visible() || *row >= line.smooth->points())
            continue;
        rows.push_back({tr("%1, smoothed").arg(line.spec.name), exactly(line.smooth->value(*row)),
                        line.spec.color, line.smooth->pixelOf(line.smooth->at(*row))});
    }
    return rows;
}

void ChartPanel::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    if (m_drag == Drag::none) hideReadout();
}

void ChartPanel::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    const Qt::FocusReason reason = event->reason();
    m_focusFrame = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                   reason == Qt::ShortcutFocusReason;
    layer("overlay")->replot();
}

void ChartPanel::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    m_focusFrame = false;
    layer("overlay")->replot();
}

}  // namespace strata::ui
