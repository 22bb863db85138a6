// The memory strip's bars for several devices.
#include <QPainter>
#include <algorithm>

#include "ui/widgets/device_mark.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/memory_strip.h"

namespace strata::ui {
namespace {

constexpr int stripHeight = 36, keyHeight = 24, cellHeight = 22, cellWidth = 330, mostLines = 4;
constexpr double barHeight = 8, margin = 16, gap = 8, columnGap = 28;

QString amountText(const parallel::DevicePlan& device) {
    const QString bytes = formatBytes(device.memory.total());
    if (device.memory_limit == 0) return bytes;
    const QString of = MemoryStrip::tr("%1 of %2").arg(bytes, formatBytes(device.memory_limit));
    return device.fits() ? of : MemoryStrip::tr("%1: too much").arg(of);
}

// The longest bar's bytes: a limit far above all that is held would make them all too short.
double scaleOf(const std::vector<parallel::DevicePlan>& devices) {
    std::size_t most = 1, limit = 0;
    for (const parallel::DevicePlan& device : devices) {
        most = std::max(most, device.memory.total());
        limit = std::max(limit, device.memory_limit);
    }
    return static_cast<double>(limit <= 3 * most ? std::max(limit, most) : most);
}

}  // namespace

void MemoryStrip::setPlan(const std::optional<parallel::PlacementPlan>& plan) {
    m_devices.clear();
    if (plan && plan->devices.size() > 1) m_devices = plan->devices;
    fitHeight();
    describe();
}

int MemoryStrip::columns() const {
    return std::clamp(
        static_cast<int>((width() - 2 * margin + columnGap) / (Theme::px(cellWidth) + columnGap)),
        1, 4);
}

void MemoryStrip::fitHeight() {
    if (!several()) {
        setFixedHeight(Theme::px(stripHeight));
        return;
    }
    const int lines = (static_cast<int>(m_devices.size()) + columns() - 1) / columns();
    setFixedHeight(Theme::px(keyHeight + std::min(lines, mostLines) * cellHeight + 6));
}

void MemoryStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitHeight();
}

QStringList MemoryStrip::deviceLines() const {
    QStringList lines;
    for (const parallel::DevicePlan& device : m_devices) {
        QStringList parts;
        for (std::size_t i = 0; i < device::category_count; ++i)
            if (const auto category = static_cast<device::Category>(i); device.memory[category] > 0)
                parts << memoryText(category) + " " + formatBytes(device.memory[category]);
        lines << tr("%1: %2 (%3)", "device: memory (its parts)")
                     .arg(QString::fromStdString(device.device), amountText(device),
                          parts.join(", "));
    }
    return lines;
}

void MemoryStrip::paintDevices(QPainter& painter) const {
    const QRectF area = QRectF(rect()).adjusted(margin, 1, -margin, -5);
    paintKey(painter, QRectF(area.left(), area.top(), area.width(), Theme::px(keyHeight)));
    const int across = columns();
    const double width = (area.width() - (across - 1) * columnGap) / across;
    const double scale = scaleOf(m_devices);
    const auto room = static_cast<std::size_t>(across * mostLines);
    const std::size_t shown = m_devices.size() <= room ? m_devices.size() : room - 1;
    const auto cell = [&](std::size_t i) {
        const auto column = static_cast<double>(i % static_cast<std::size_t>(across));
        const auto line = static_cast<double>(i / static_cast<std::size_t>(across));
        return QRectF(area.left() + column * (width + columnGap),
                      area.top() + Theme::px(keyHeight) + line * Theme::px(cellHeight), width,
                      Theme::px(cellHeight));
    };
    for (std::size_t i = 0; i < shown; ++i) paintDevice(painter, cell(i), m_devices[i], scale);
    if (shown == m_devices.size()) return;
    const bool fit = std::all_of(m_devices.begin() + static_cast<std::ptrdiff_t>(shown),
                                 m_devices.end(), [](const auto& each) { return each.fits(); });
    const QString count = formatCount(static_cast<std::int64_t>(m_devices.size() - shown));
    painter.setPen(fit ? Theme::instance().colors().secondary : Theme::instance().colors().bad);
    painter.drawText(cell(shown), Qt::AlignVCenter,
                     (fit ? tr("and %1 more") : tr("and %1 more, not all fit")).arg(count));
}

void MemoryStrip::paintDevice(QPainter& painter, const QRectF& cell,
                              const parallel::DevicePlan& device, double scale) const {
    const Colors& colors = Theme::instance().colors();
    const QString name = QString::fromStdString(device.device);
    double names = 0, amounts = 0;  // of all: the bars begin and end below each other
    const QFontMetricsF metrics(Theme::secondary());
    for (const parallel::DevicePlan& each : m_devices) {
        names = std::max(names, metrics.horizontalAdvance(QString::fromStdString(each.device)));
        amounts = std::max(amounts, metrics.horizontalAdvance(amountText(each)));
    }
    const double middle = cell.center().y();
    paintDeviceDot(painter, {cell.left() + 4, middle}, 4, name);
    painter.setFont(Theme::secondary());
    painter.setPen(colors.text);
    painter.drawText(cell.adjusted(14, 0, 0, 0), Qt::AlignVCenter, name);
    painter.setPen(device.fits() ? colors.text : colors.bad);
    painter.drawText(cell, Qt::AlignVCenter | Qt::AlignRight, amountText(device));
    const double left = cell.left() + 14 + names + gap;
    const double room = std::max(cell.right() - amounts - gap - left, 8.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.border);
    painter.drawRoundedRect(QRectF(left, middle - barHeight / 2, room, barHeight), 2, 2);
    double x = left;
    for (std::size_t i = 0; i < device::category_count; ++i) {
        const auto category = static_cast<device::Category>(i);
        const double part = room * static_cast<double>(device.memory[category]) / scale;
        painter.fillRect(QRectF(x, middle - barHeight / 2, part, barHeight),
                         Theme::memory(category));
        x += part;
    }
    const double limit = room * static_cast<double>(device.memory_limit) / scale;
    if (limit <= 0 || limit > room) return;
    painter.setPen(QPen(colors.bad, 2));
    painter.drawLine(QLineF(left + limit, middle - barHeight, left + limit, middle + barHeight));
}

void MemoryStrip::paintKey(QPainter& painter, const QRectF& line) const {
    const Colors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(Theme::secondary());
    const QString title =
        tr("Predicted memory on %1 devices:").arg(formatCount(std::ssize(m_devices)));
    painter.setFont(Theme::secondary());
    painter.setPen(colors.secondary);
    painter.drawText(line, Qt::AlignVCenter, title);
    double x = line.left() + metrics.horizontalAdvance(title) + 12;
    for (std::size_t i = 0; i < device::category_count; ++i) {
        const auto category = static_cast<device::Category>(i);
        if (std::none_of(m_devices.begin(), m_devices.end(),
                         [&](const auto& device) { return device.memory[category] > 0; }))
            continue;
        const QString text = memoryText(category);
        const double width = metrics.horizontalAdvance(text);
        if (x + 12 + width > line.right()) break;  // the tooltip has all
        painter.fillRect(QRectF(x, line.center().y() - 4, 8, 8), Theme::memory(category));
        painter.drawText(QRectF(x + 12, line.top(), width, line.height()), Qt::AlignVCenter, text);
        x += 12 + width + 14;
    }
}

}  // namespace strata::ui
