// What a panel paints beside its lines: title, memory stack, limit, labels at the lines' ends,
// read-out. The marks are in chart_panel_marks.cpp.
#include <algorithm>
#include <cmath>
#include <functional>

#include "ui/charts/chart_panel.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

class Painter : public QCPLayerable {
public:
    Painter(QCustomPlot* plot, const QString& layer, std::function<void(QCPPainter&)> paint)
        : QCPLayerable(plot, layer), m_paint(std::move(paint)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override {
        painter->save();
        m_paint(*painter);
        painter->restore();
    }

private:
    std::function<void(QCPPainter&)> m_paint;
};

constexpr double leastShare = 0.0005;  // of the memory that a part has to have to be told

QFont labelFont() {
    QFont font = Theme::small();
    font.setWeight(QFont::DemiBold);
    return font;
}

const Colors& colors() {
    return Theme::instance().colors();
}

QString shortNumber(double value, int digits) {
    return std::abs(value) >= 1000.0 && std::isfinite(value) ? QLocale().toString(value, 'f', 0)
                                                             : formatNumber(value, digits);
}

// Keeps the order and a label's height between neighbours, inside low..high.
template <typename Labels>
void spread(Labels& labels, double low, double high, double height) {
    std::sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    double floor = low;
    for (auto& label : labels) {
        label.y = std::max(label.y, floor);
        floor = label.y + height;
    }
    double ceiling = high;
    for (auto it = labels.rbegin(); it != labels.rend(); ++it) {
        it->y = std::min(it->y, ceiling);
        ceiling = it->y - height;
    }
}

}  // namespace

int ChartPanel::labelHeight() {
    return Theme::px(15);
}

int ChartPanel::titleHeight() {
    return Theme::px(32);
}

void ChartPanel::addPainters() {
    const auto add = [this](const char* layerName, auto paint) {
        new Painter(this, QString::fromLatin1(layerName),
                    [this, paint](QCPPainter& painter) { (this->*paint)(painter); });
    };
    add("main", &ChartPanel::paintStack);
    add("legend", &ChartPanel::paintTitle);
    add("legend", &ChartPanel::paintLimit);
    add("legend", &ChartPanel::paintMarks);
    add("legend", &ChartPanel::paintLabels);
    add("overlay", &ChartPanel::paintReadout);
}

QString ChartPanel::fullTitle() const {
    if (!m_spec.bytes || !m_store.plan()) return m_spec.title;
    if (m_quantity == Quantity::process)
        return tr("%1, %2", "title, unit").arg(m_spec.title, m_unit.name);
    if (m_quantity == Quantity::deviceMemory)
        return tr("%1, %2: %3", "title, unit: device")
            .arg(m_spec.title, m_unit.name, memoryOwners(m_store, m_metric));
    const std::size_t devices = m_store.plan()->devices.size();
    const bool all = m_metric == 0 && devices > 1;
    return tr("%1, %2: %3", "title, unit: device")
        .arg(m_spec.title, m_unit.name,
             all ? tr("%1 devices").arg(formatCount(static_cast<std::int64_t>(devices)))
                 : QString::fromStdString(planned().name));
}

void ChartPanel::paintTitle(QCPPainter& painter) const {
    painter.setFont(Theme::heading());
    painter.setPen(colors().text);
    const bool empty = !xAxis->visible();
    if (!empty) {
        const int left = axisRect()->left();
        const QRect line(left, viewport().top(), viewport().right() - left, titleHeight() - 4);
        painter.drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(fullTitle(), Qt::ElideRight, line.width()));
        if (invitation().isEmpty()) return;
    }
    painter.setFont(Theme::text());
    painter.setPen(colors().secondary);
    painter.drawText(empty ? viewport() : axisRect()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     empty ? tr("Press Train to see the curves") : invitation());
}

// Why there is no curve yet; "" where there is one.
QString ChartPanel::invitation() const {
    if (m_quantity == Quantity::memory) return {};
    if (!isMeasured(m_quantity))
        return m_store.steps().rows() > 0 ? QString() : tr("Waiting for the first update");
    if (m_store.devices().rows() == 0) return tr("Waiting for the first measurement");
    return m_lines.empty() ? tr("The device does not tell it") : QString();
}

void ChartPanel::paintStack(QCPPainter& painter) const {
    if (m_quantity != Quantity::memory || !m_store.plan()) return;
    const QRect rect = axisRect()->rect();
    const Column& keys = m_store.steps().axis(m_axis);
    const bool run = keys.size() > 1;
    const double left = run ? xAxis->coordToPixel(keys[0]) : rect.left();
    const double right = run ? xAxis->coordToPixel(keys.last()) : rect.right();
    painter.setClipRect(rect);
    painter.setAntialiasing(false);
    const device::MemoryBudget memory = planned().memory;
    double bytes = 0.0;
    for (std::size_t i = 0; i < device::category_count; ++i) {
        const auto category = static_cast<device::Category>(i);
        const double top = bytes + static_cast<double>(memory[category]);
        const double y0 = yAxis->coordToPixel(bytes * m_unit.scale),
                     y1 = yAxis->coordToPixel(top * m_unit.scale);
        painter.fillRect(QRectF(left, y1, right - left, y0 - y1), Theme::memory(category));
        bytes = top;
    }
}

// Words above lines, on a ground of their own.
void ChartPanel::paintNote(QCPPainter& painter, const QRectF& place, int flags, const QString& text,
                           const QColor& ink) const {
    if (text.isEmpty()) return;
    QColor ground = colors().panel;
    ground.setAlpha(230);
    painter.fillRect(painter.boundingRect(place, flags, text).adjusted(-4, 0, 3, 0), ground);
    painter.setPen(ink);
    painter.drawText(place, flags, text);
}

void ChartPanel::paintLimit(QCPPainter& painter) const {
    if (!m_spec.bytes || !xAxis->visible() || isMeasured(m_quantity)) return;
    const QRect rect = axisRect()->rect();
    const double value = limit() * m_unit.scale;
    const bool inside = value > 0.0 && value <= yAxis->range().upper;
    painter.setFont(Theme::small());
    paintNotes(painter, inside);
    if (!inside) return;
    const double y = yAxis->coordToPixel(value), above = y - labelHeight() - 2;
    const QRectF place(rect.left(), above < titleHeight() - 6 ? y + 2 : above, rect.width() - 4,
                       labelHeight());
    paintNote(painter, place, Qt::AlignRight | Qt::AlignVCenter,
              tr("limit %1").arg(shortNumber(value, 3)), readable(colors().bad, colors().panel));
    painter.setPen(QPen(colors().bad, 1.5, Qt::DashLine));
    painter.drawLine(QLineF(rect.left(), y, rect.right(), y));
}

// What lies far above the axis and would press all else to the floor is told in words.
void ChartPanel::paintNotes(QCPPainter& painter, bool limitInside) const {
    QStringList notes;
    if (limit() > 0.0 && !limitInside)
        notes << tr("limit %1 ↑").arg(formatBytes(static_cast<std::uint64_t>(limit())));
    const LineSource process{&m_store, Rows::steps, RunStore::process_bytes};
    if (m_quantity == Quantity::memory && m_metric == 0 && process.series() != nullptr &&
        !process.series()->empty())
        notes << tr("whole program %1")
                     .arg(formatBytes(
                         static_cast<std::uint64_t>(process.series()->column().last())));
    const QRect rect = axisRect()->rect();
    paintNote(painter, rect.adjusted(0, limitInside ? labelHeight() + 4 : 2, -4, 0),
              Qt::AlignRight | Qt::AlignTop, notes.join('\n'), colors().secondary);
}

std::vector<ChartPanel::EndLabel> ChartPanel::endLabels() const {
    std::vector<EndLabel> labels;
    const QColor panel = colors().panel;
    const auto pixel = [this](double value) { return yAxis->coordToPixel(value); };
    for (const Line& line : m_lines) {
        const LinePlot* plot =
            line.smooth != nullptr && line.smooth->visible() ? line.smooth : line.raw;
        const auto row = plot->lastRow(xAxis->range().upper);
        if (!row || std::isnan(plot->value(*row))) continue;
        const bool tiny = m_spec.bytes && plot->value(*row) < leastShare * yAxis->range().upper;
        const double value = tiny ? 0.0 : plot->value(*row);
        labels.push_back({line.spec.name + QChar(' ') + shortNumber(value, m_spec.bytes ? 3 : 4),
                          readable(line.spec.color, panel), plot->pixelOf(plot->at(*row)).y()});
    }
    if (!m_spec.bytes || !m_store.plan() || isMeasured(m_quantity)) return labels;
    if (m_quantity == Quantity::process) {
        labels.push_back({tr("planned %1").arg(shortNumber(memoryTop() * m_unit.scale, 3)),
                          colors().secondary, pixel(memoryTop() * m_unit.scale)});
        return labels;
    }
    const device::MemoryBudget memory = planned().memory;
    double bytes = 0.0;
    for (std::size_t i = 0; i < device::category_count; ++i) {
        const auto category = static_cast<device::Category>(i);
        const auto size = static_cast<double>(memory[category]);
        if (size > leastShare * memoryTop())
            labels.push_back(
                {memoryText(category) + QChar(' ') + shortNumber(size * m_unit.scale, 2),
                 colors().secondary, pixel((bytes + size / 2.0) * m_unit.scale),
                 Theme::memory(category)});
        bytes += size;
    }
    return labels;
}

// Room for the labels; it never shrinks in a run, so that the plot does not shiver.
void ChartPanel::updateMargins() {
    int widest = 0;
    for (const EndLabel& label : endLabels())
        widest =
            std::max(widest, QFontMetrics(label.swatch.isValid() ? Theme::small() : labelFont())
                                     .horizontalAdvance(label.text) +
                                 (label.swatch.isValid() ? 12 : 0));
    widest = (widest + 7) / 8 * 8;
    m_labelWidth = std::max(m_labelWidth, widest);
    const int right = m_labelWidth == 0 ? 16 : m_labelWidth + 16;
    axisRect()->setMargins(QMargins(axisRect()->margins().left(), titleHeight(), right,
                                    axisRect()->margins().bottom()));
}

void ChartPanel::paintLabels(QCPPainter& painter) const {
    const QRect rect = axisRect()->rect();
    if (m_quantity == Quantity::process && m_store.plan()) {
        const double y = yAxis->coordToPixel(memoryTop() * m_unit.scale);
        painter.setPen(QPen(colors().secondary, 1.0, Qt::DashLine));
        if (y > rect.top()) painter.drawLine(QLineF(rect.left(), y, rect.right(), y));
    }
    std::vector<EndLabel> labels = endLabels();
    spread(labels, rect.top(), rect.bottom(), labelHeight());
    for (const EndLabel& label : labels) {
        double x = rect.right() + 8;
        const QRectF line(x, label.y - labelHeight() / 2.0, viewport().right() - x, labelHeight());
        if (label.swatch.isValid()) {
            painter.fillRect(QRectF(x, label.y - 4, 8, 8), label.swatch);
            x += 12;
        }
        painter.setFont(label.swatch.isValid() ? Theme::small() : labelFont());
        painter.setPen(label.color);
        painter.drawText(QRectF(x, line.top(), viewport().right() - x, labelHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter, label.text);
    }
}

void ChartPanel::paintReadout(QCPPainter& painter) const {
    const QRect rect = axisRect()->rect();
    if (m_drag == Drag::box) {
        QColor fill = colors().accent;
        fill.setAlpha(40);
        painter.setPen(QPen(colors().accent, 1.0));
        painter.setBrush(fill);
        painter.drawRect(QRect(m_pressed, m_dragged).normalized() & rect);
        return;
    }
    if (m_focusFrame) {
        painter.setPen(QPen(colors().accent, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(viewport()).adjusted(1, 1, -2, -2), 5, 5);
    }
    if (!m_readout) return;
    const std::vector<ReadoutRow> rows = readoutRows();
    if (rows.empty()) return;
    const double x = xAxis->coordToPixel(*m_readout);
    painter.setPen(QPen(colors().secondary, 1.0, Qt::DotLine));
    painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()));
    painter.setAntialiasing(true);
    for (const ReadoutRow& row : rows) {
        if (!rect.adjusted(-4, -4, 4, 4).contains(row.pixel.toPoint())) continue;
        painter.setPen(QPen(colors().panel, 1.5));
        painter.setBrush(row.color);
        painter.drawEllipse(row.pixel, 4.0, 4.0);
    }
    paintBox(painter, readoutHead(), rows, x);
}

void ChartPanel::paintBox(QCPPainter& painter, const QString& head,
                          const std::vector<ReadoutRow>& rows, double x) const {
    const QFontMetrics metrics(Theme::small());
    int names = 0, values = 0;
    for (const ReadoutRow& row : rows) {
        names = std::max(names, metrics.horizontalAdvance(row.name));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    const int width = std::max(names + 16 + values, metrics.horizontalAdvance(head)) + 16;
    const int height = static_cast<int>(rows.size() + 1) * (labelHeight() + 1) + 10;
    const QRect rect = axisRect()->rect();
    int left = static_cast<int>(x) + 10;
    if (left + width > viewport().right())
        left = std::max(viewport().left() + 2, static_cast<int>(x) - 10 - width);
    const QRect box(left, std::max(rect.top() + 4, viewport().top() + 2), width, height);
    painter.setPen(colors().border);
    painter.setBrush(colors().panel);
    painter.drawRoundedRect(box, 5, 5);
    painter.setFont(Theme::small());
    painter.setPen(colors().secondary);
    QRect line(box.left() + 8, box.top() + 5, width - 16, labelHeight() + 1);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, head);
    for (const ReadoutRow& row : rows) {
        line.translate(0, labelHeight() + 1);
        painter.setPen(readable(row.color, colors().panel));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.setPen(colors().text);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

}  // namespace strata::ui
