#include "ui/charts/chart_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

// Seconds as "1:12" or "2:03:09".
class DurationTicker : public QCPAxisTickerTime {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return formatDuration(tick);
    }
};

// As many decimals as the step between the numbers needs: "0.0, 0.4, 0.8".
class NumberTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        m_step = QCPAxisTicker::getTickStep(range);
        return m_step;
    }
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        int decimals = 0;
        for (double step = m_step; decimals < 7 && std::abs(step - std::round(step)) > 1e-6 * step;
             step *= 10.0)
            ++decimals;
        if (decimals == 7 || std::abs(tick) >= 1e7)
            return QCPAxisTicker::getTickLabel(tick, locale, format, precision);
        return locale.toString(tick, 'f', decimals);
    }

private:
    double m_step = 1.0;
};

double niceStep(double span, int count) {
    const double raw = span / count, power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 2.5, 5.0})
        if (raw <= step * power) return step * power;
    return 10.0 * power;
}

// Linear: room above and below, ends on round numbers, and 0 where it is near. Logarithmic: a
// little room.
QCPRange comfortable(Extent extent, bool logarithmic, bool fromZero) {
    if (extent.empty()) return {0.0, 1.0};
    if (logarithmic) {
        if (extent.high <= 0.0) return {0.1, 1.0};
        if (extent.low <= 0.0) extent.low = extent.high * 1e-6;
        const double room = std::max(1.1, std::pow(extent.high / extent.low, 0.05));
        return {extent.low / room, extent.high * room};
    }
    if (fromZero || (extent.low >= 0.0 && extent.low < 0.4 * extent.high)) extent.low = 0.0;
    double span = extent.high - extent.low;
    if (span <= 1e-9 * std::abs(extent.high))
        span = extent.high == 0.0 ? 1.0 : 0.5 * std::abs(extent.high);
    const double step = niceStep(span, 8), room = 0.02 * span;
    const double low = extent.low == 0.0 ? 0.0 : std::floor((extent.low - room) / step) * step;
    return {low, std::ceil((extent.high + room) / step) * step};
}

}  // namespace

ChartPanel::ChartPanel(const RunStore& store, Quantity quantity, std::size_t metric,
                       QWidget* parent)
    : QCustomPlot(parent), m_store(store), m_quantity(quantity), m_metric(metric) {
    setNoAntialiasingOnDrag(true);
    setPlottingHints(QCP::phFastPolylines);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSelectionRectMode(QCP::srmNone);
    axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    axisRect()->setMinimumMargins(QMargins(36, 0, 0, 0));
    for (QCPAxis* axis : {xAxis, yAxis}) axis->setTickLength(0, 0);
    xAxis->setSubTicks(false);
    yAxis->setSubTicks(false);
    yAxis->setBasePen(Qt::NoPen);
    xAxis->grid()->setVisible(false);
    xAxis->setRange(0.0, 1.0);
    addPainters();
    rebuild();
}

ChartPanel::~ChartPanel() = default;

LinePlot* ChartPanel::line(std::size_t i, bool smoothed) const {
    return i < m_lines.size() ? (smoothed ? m_lines[i].smooth : m_lines[i].raw) : nullptr;
}

void ChartPanel::rebuild() {
    clearPlottables();
    m_lines.clear();
    m_spec = panelSpec(m_quantity, m_store, m_metric);
    for (const LineSpec& spec : m_spec.lines) {
        Line line;
        line.spec = spec;
        const LineSource source{&m_store, spec.rows, spec.line};
        line.raw = new LinePlot(xAxis, yAxis, source);
        if (spec.smoothed) {
            line.smoothed = std::make_unique<Series>();
            line.smooth = new LinePlot(xAxis, yAxis, source);
            line.smooth->setInstead(line.smoothed.get());
        }
        m_lines.push_back(std::move(line));
    }
    m_labelWidth = 0;
    styleAxes();
    setAccessibleName(tr("Chart: %1").arg(m_spec.title));
    setWhatsThis(
        tr("Drag a box to zoom, turn the wheel to zoom at the pointer, drag with Shift to move, "
           "Backspace steps back, "
           "a double-click shows all. The arrow keys move the read-out."));
    replotNow();
}

// Title and axes as tall as their text, and a plot in which a curve can be told from a line.
QSize ChartPanel::leastSize() {
    return {180, titleHeight() + 3 * labelHeight() + Theme::px(84)};
}

void ChartPanel::styleAxes() {
    setMinimumSize(leastSize());
    const Colors& colors = Theme::instance().colors();
    const QFont small = Theme::small();
    setBackground(QBrush(colors.panel));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLabelColor(colors.secondary);
        axis->setTickLabelFont(small);
        axis->setLabelColor(colors.secondary);
        axis->setLabelFont(small);
        axis->setTickPen(Qt::NoPen);
        axis->setNumberFormat("gb");
        axis->setNumberPrecision(6);
    }
    xAxis->setBasePen(QPen(mixed(colors.secondary, colors.border, 0.5)));
    xAxis->setLabelPadding(2);
    yAxis->grid()->setPen(QPen(mixed(colors.border, colors.panel, 0.6)));
    yAxis->grid()->setZeroLinePen(Qt::NoPen);
    yAxis->grid()->setSubGridVisible(false);
    setLocale(QLocale());
}

void ChartPanel::setXAxis(XAxis axis) {
    if (axis == m_axis) return;
    m_axis = axis;
    m_readout.reset();
    dropView();
}

void ChartPanel::setLogX(bool on) {
    m_logX = on;
    dropView();
}

void ChartPanel::setLogY(bool on) {
    m_logY = on && m_quantity != Quantity::memory;
    dropView();
}

void ChartPanel::setSmoothing(double weight) {
    m_smoothing = weight;
    replotNow();
}

void ChartPanel::setFollow(bool on) {
    m_follow = on;
    if (on && m_view) m_sliding = true;
    replotNow();
}

void ChartPanel::replotNow() {
    m_dirty = true;
    if (isVisible()) refresh(QCustomPlot::rpQueuedRefresh);
}

void ChartPanel::refresh(QCustomPlot::RefreshPriority priority) {
    m_dirty = false;
    const bool empty = !m_store.plan() && m_store.steps().rows() == 0;
    xAxis->setVisible(!empty);
    yAxis->setVisible(!empty);
    yAxis->grid()->setVisible(!empty);
    const bool numbers = m_store.steps().rows() > 0;
    xAxis->setTickLabels(numbers);
    yAxis->setTickLabels(numbers || m_quantity == Quantity::memory);
    const QColor panel = Theme::instance().colors().panel;
    updateUnit();
    for (Line& line : m_lines) {
        const bool smooth = line.smooth != nullptr && m_smoothing > 0.0;
        if (smooth) syncSmoothed(line);
        line.raw->setXAxis(m_axis);
        line.raw->setScale(m_unit.scale);
        line.raw->setLook(smooth ? mixed(line.spec.color, panel, 0.4) : line.spec.color,
                          smooth ? 1.0 : 1.5, line.spec.rows == Rows::epochs);
        if (line.smooth == nullptr) continue;
        line.smooth->setVisible(smooth);
        line.smooth->setXAxis(m_axis);
        line.smooth->setScale(m_unit.scale);
        line.smooth->setLook(line.spec.color, 2.0, false);
    }
    updateRanges();
    updateTicker();
    updateMargins();
    replot(priority);
}

void ChartPanel::syncSmoothed(Line& line) const {
    if (line.weight != m_smoothing || line.generation != m_store.generation()) {
        line.smoothed->clear();
        line.smoother = Smoother(m_smoothing);
        line.weight = m_smoothing;
        line.generation = m_store.generation();
    }
    const Series* source = line.raw->source().series();
    if (source == nullptr) return;
    for (std::size_t i = line.smoothed->size(); i < source->size(); ++i)
        line.smoothed->append(line.smoother.next((*source)[i]));
}

QCPRange ChartPanel::dataRange() const {
    const Column& steps = m_store.steps().axis(m_axis);
    const Column& keys = steps.empty() ? m_store.epochs().axis(m_axis) : steps;
    if (keys.empty()) return {m_logX ? 1.0 : 0.0, m_logX ? 10.0 : 1.0};
    double low = keys[0];
    const double high = keys.last();
    if (m_logX && low <= 0.0) {
        const std::size_t positive = keys.upperBound(0.0);
        low = positive < keys.size() ? keys[positive] : 1e-3;
    }
    if (!m_logX && low > 0.0 && low < 0.02 * high) low = 0.0;
    if (high > low) return {low, high};
    return m_logX ? QCPRange(low / 2.0, low * 2.0) : QCPRange(low - 0.5, low + 0.5);
}

double ChartPanel::memoryTop() const {
    return static_cast<double>(planned().memory.total());
}

train::PlanEvent::Device ChartPanel::planned() const {
    if (!m_store.plan()) return {};
    const train::PlanEvent& plan = *m_store.plan();
    if (m_quantity == Quantity::memory && m_metric > 0 && m_metric <= plan.devices.size())
        return plan.devices[m_metric - 1];
    return {plan.device, plan.memory, plan.memory_limit};
}

QCPRange ChartPanel::valueRange(const QCPRange& x) const {
    Extent extent;
    for (const Line& line : m_lines) extent.add(line.raw->valueExtent(x.lower, x.upper));
    if (m_spec.bytes && !isMeasured(m_quantity)) {
        extent.add(memoryTop() * m_unit.scale);
        extent.add(extent.high * noteRoom());
        // A limit far above would press all else to the floor: it is then told in words
        // (paintLimit).
        if (limit() > 0.0 && limit() * m_unit.scale < 3.0 * extent.high)
            extent.add(limit() * m_unit.scale);
    }
    if (m_spec.top > 0.0 && !m_logY) return {0.0, m_spec.top};
    return comfortable(extent, m_logY, m_spec.fromZero);
}

// How much higher than the values the axis must reach for the notes (paintNotes) to stand above.
double ChartPanel::noteRoom() const {
    const int notes = m_quantity == Quantity::memory ? 2 : 1;
    const double plot = height() - titleHeight() - 3.0 * labelHeight();
    const double taken = notes * labelHeight() + 6.0;
    return plot > 2.0 * taken ? plot / (plot - taken) : 2.0;
}

void ChartPanel::updateUnit() {
    if (!m_spec.bytes) return;
    double largest = isMeasured(m_quantity) ? 0.0 : memoryTop();
    const double end = std::numeric_limits<double>::infinity();
    for (const Line& line : m_lines)
        if (const Series* series = line.raw->source().series())
            largest = std::max(largest, series->extent(0, series->size()).high);
    m_unit = byteUnit(std::min(largest, end));
}

void ChartPanel::updateRanges() {
    xAxis->setScaleType(m_logX ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setScaleType(m_logY ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (m_view && m_sliding && m_follow) {
        const double end = dataRange().upper;
        m_view->x = m_logX ? QCPRange(m_view->x.lower * end / m_view->x.upper, end)
                           : QCPRange(end - m_view->x.size(), end);
        m_view->y = valueRange(m_view->x);
    }
    const QCPRange x = m_view ? m_view->x : dataRange();
    xAxis->setRange(x);
    yAxis->setRange(m_view ? m_view->y : valueRange(x));
}

void ChartPanel::updateTicker() {
    const bool longTime = m_axis == XAxis::time && xAxis->range().upper >= 120.0;
    xAxis->setLabel(axisText(m_axis, longTime));
    QSharedPointer<QCPAxisTicker> ticker;
    if (m_logX)
        ticker = QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog);
    else if (longTime)
        ticker = QSharedPointer<QCPAxisTicker>(new DurationTicker);
    else
        ticker = QSharedPointer<QCPAxisTicker>(new NumberTicker);
    ticker->setTickCount(std::clamp(axisRect()->width() / 90, 2, 8));
    ticker->setTickStepStrategy(QCPAxisTicker::tssReadability);
    xAxis->setTicker(ticker);
    QSharedPointer<QCPAxisTicker> values(m_logY ? static_cast<QCPAxisTicker*>(new QCPAxisTickerLog)
                                                : new NumberTicker);
    values->setTickCount(std::clamp(axisRect()->height() / 50, 2, 6));
    yAxis->setTicker(values);
}

void ChartPanel::resizeEvent(QResizeEvent* event) {
    // Not QCustomPlot's, which would queue a second drawing.
    QWidget::resizeEvent(event);  // NOLINT(bugprone-parent-virtual-call)
    setViewport(rect());
    replotNow();
}

void ChartPanel::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    if (m_dirty) refresh(QCustomPlot::rpQueuedRefresh);
}

}  // namespace strata::ui
