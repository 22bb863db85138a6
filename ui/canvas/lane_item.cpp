#include "ui/canvas/lane_item.h"

#include <QCoreApplication>
#include <QCursor>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/canvas/lanes.h"
#include "ui/canvas/layout.h"
#include "ui/widgets/device_mark.h"
#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double corner = 8, barWidth = 84, leastBar = 28, barHeight = 8;
constexpr double margin = 14, newMargin = 8, nameLeft = margin + 18, nameGap = 10, shareGap = 12;

struct LaneWords {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::Canvas)
};

QFont font(const QFont& scaled) {
    return Theme::unscaled(scaled);
}

QString shareText(const LaneData& data) {
    if (!data.share) return {};
    return LaneWords::tr("%1 % of the work").arg(formatCount(std::lround(100.0 * *data.share)));
}

QString copyText(const QString& device) {
    return LaneWords::tr("A copy of the model works on %1 now. It will go on to the next device.")
        .arg(device);
}

QString memoryTextOf(std::uint64_t bytes, std::uint64_t limit) {
    if (limit == 0) return formatBytes(bytes);
    return formatBytes(bytes) + QStringLiteral(" / ") + formatBytes(limit);
}

QString memoryTextOf(const LaneData& data) {
    return data.planned ? memoryTextOf(data.bytes, data.limit) : QString();
}

// What fits into the header's lines; one that does not fit in the memory is never left out.
std::vector<LaneData::Copy> shownCopies(const LaneData& data) {
    std::vector<LaneData::Copy> shown = data.copies;
    std::stable_partition(shown.begin(), shown.end(), [](const auto& copy) { return copy.over(); });
    if (shown.size() > static_cast<std::size_t>(mostCopyLines)) shown.resize(mostCopyLines - 1);
    return shown;
}

}  // namespace

LaneItem::LaneItem(const LaneData& data, const QRectF& rect)
    : m_device(data.device),
      m_rect(rect),
      m_header(laneHeaderHeight(data.replicas)),
      m_new(data.isNew),
      m_ofCopy(data.ofCopy) {
    setZValue(-3);
    setAcceptedMouseButtons(Qt::NoButton);
}

void LaneItem::setTarget(bool on) {
    if (on == m_target) return;
    m_target = on;
    update();
}

void LaneItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Colors& colors = Theme::instance().colors();
    painter->setRenderHint(QPainter::Antialiasing);
    QPainterPath area;
    area.addRoundedRect(m_rect, corner, corner);
    if (!m_new || m_target)
        paintDeviceWash(*painter, area, m_device,
                        m_target ? (colors.dark ? 70 : 60) : (colors.dark ? 26 : 20));
    if (m_target || m_new) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(m_target ? QPen(colors.accent, 2)
                                 : QPen(colors.secondary, 1, Qt::DashLine));
        painter->drawRoundedRect(m_rect, corner, corner);
    }
    if (!m_new) return;
    painter->setFont(font(Theme::secondary()));
    painter->setPen(colors.secondary);
    QString text = LaneWords::tr("Drag a card here");
    if (m_ofCopy)
        text += QStringLiteral("\n\n") + (m_rect.width() < newLaneWidth
                                              ? LaneWords::tr("a copy works there now")
                                              : copyText(m_device));
    painter->drawText(m_rect.adjusted(newMargin, m_header + 12, -newMargin, -12),
                      Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text);
}

LaneHeaderItem::LaneHeaderItem(const LaneData& data, double width) : m_data(data), m_width(width) {
    setZValue(3);
    setCursor(Qt::PointingHandCursor);
    setData(data);
}

void LaneHeaderItem::setData(const LaneData& data) {
    if (data.replicas != m_data.replicas) prepareGeometryChange();
    m_data = data;
    QString tip = m_data.isNew ? LaneWords::tr("Place the selected layers on %1").arg(m_data.device)
                               : LaneWords::tr("%1. Click to select its layers").arg(words());
    if (m_data.ofCopy) tip += QStringLiteral("\n") + copyText(m_data.device);
    setToolTip(tip);
    update();
}

QString LaneHeaderItem::words() const {
    if (m_data.isNew) return LaneWords::tr("+ %1").arg(m_data.device);
    QStringList parts{m_data.device};
    if (const QString share = shareText(m_data); !share.isEmpty()) parts << share;
    if (const QString memory = memoryTextOf(m_data); !memory.isEmpty())
        parts << (m_data.over() ? LaneWords::tr("%1: too much").arg(memory) : memory);
    for (const LaneData::Copy& copy : m_data.copies) {
        const QString memory = memoryTextOf(copy.bytes, copy.limit);
        parts << LaneWords::tr("a copy on %1: %2")
                     .arg(copy.device,
                          copy.over() ? LaneWords::tr("%1: too much").arg(memory) : memory);
    }
    return parts.join(", ");
}

QRectF LaneHeaderItem::boundingRect() const {
    return {0, 0, m_width, laneHeaderHeight(m_data.replicas)};
}

void LaneHeaderItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Colors& colors = Theme::instance().colors();
    const QRectF rect = boundingRect();
    painter->setRenderHint(QPainter::Antialiasing);
    QPainterPath area;
    area.addRoundedRect(rect, corner, corner);
    painter->fillPath(area, colors.canvas);  // cards pass below it
    if (m_data.isNew) {
        painter->setPen(QPen(colors.secondary, 1, Qt::DashLine));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), corner, corner);
        painter->setFont(font(Theme::heading()));
        painter->setPen(colors.text);
        painter->drawText(rect, Qt::AlignCenter, words());
        return;
    }
    paintDeviceWash(*painter, area, m_data.device, colors.dark ? 92 : 56);
    paintDeviceDot(*painter, {margin + 5, laneHeader / 2}, 5, m_data.device);
    double left = nameLeft;
    const auto write = [&](const QFont& face, const QString& text, double gap) {
        painter->setFont(face);
        painter->setPen(colors.text);
        painter->drawText(QRectF(left, 0, m_width - left, laneHeader), Qt::AlignVCenter, text);
        left += QFontMetricsF(face).horizontalAdvance(text) + gap;
    };
    const auto [share, memory] = shownTexts();
    write(font(Theme::heading()), m_data.device, nameGap);
    write(font(Theme::secondary()), share, shareGap);
    if (m_data.planned)
        paintMemory(painter, QRectF(0, 0, m_width, laneHeader), left, m_data.device, m_data.bytes,
                    m_data.limit, memory);
    if (!m_data.copies.empty()) paintCopies(painter);
}

// The share and the memory, in as many words as there is room for; the tooltip has them all.
LaneHeaderItem::Shown LaneHeaderItem::shownTexts() const {
    const QFontMetricsF name(font(Theme::heading())), text(font(Theme::secondary()));
    const QFontMetricsF& amount = m_data.over() ? name : text;
    const double room =
        m_width - margin - nameLeft - name.horizontalAdvance(m_data.device) - nameGap - shareGap;
    std::vector<Shown> ways{{shareText(m_data), memoryTextOf(m_data)}};
    const QString brief = m_data.planned ? formatBytes(m_data.bytes) : QString();
    if (!m_data.over()) ways.push_back({shareText(m_data), brief});
    const QString percent =
        m_data.share ? LaneWords::tr("%1 %").arg(formatCount(std::lround(100.0 * *m_data.share)))
                     : QString();
    ways.push_back({percent, memoryTextOf(m_data)});
    ways.push_back({percent, brief});
    for (const Shown& way : ways)
        if (text.horizontalAdvance(way.share) + amount.horizontalAdvance(way.memory) <= room)
            return way;
    return ways.back();
}

void LaneHeaderItem::paintCopies(QPainter* painter) const {
    const Colors& colors = Theme::instance().colors();
    painter->setPen(QPen(colors.border, 1));
    painter->drawLine(QPointF(margin, laneHeader), QPointF(m_width - margin, laneHeader));
    QRectF line(0, laneHeader + copiesPadding / 2, m_width, copyLine);
    const std::vector<LaneData::Copy> shown = shownCopies(m_data);
    const auto write = [&](double left, const QString& text) {
        painter->setFont(font(Theme::secondary()));
        painter->setPen(colors.text);
        painter->drawText(line.adjusted(left, 0, -margin, 0), Qt::AlignVCenter, text);
        return left + QFontMetricsF(painter->font()).horizontalAdvance(text) + 12;
    };
    for (const LaneData::Copy& copy : shown) {
        paintDeviceDot(*painter, {margin + 5, line.center().y()}, 4, copy.device);
        const double left = write(nameLeft, LaneWords::tr("%1, a copy").arg(copy.device));
        const QString all = memoryTextOf(copy.bytes, copy.limit);
        const bool fits =
            left + QFontMetricsF(painter->font()).horizontalAdvance(all) <= m_width - margin;
        paintMemory(painter, line, left, copy.device, copy.bytes, copy.limit,
                    fits ? all : formatBytes(copy.bytes));
        line.translate(0, copyLine);
    }
    if (const std::size_t more = m_data.copies.size() - shown.size(); more > 0)
        write(
            nameLeft,
            LaneWords::tr("and %1 more copies").arg(formatCount(static_cast<std::int64_t>(more))));
}

// The amount at the line's right, and before it a bar where there is room.
void LaneHeaderItem::paintMemory(QPainter* painter, const QRectF& line, double left,
                                 const QString& device, std::uint64_t bytes, std::uint64_t limit,
                                 const QString& text) const {
    const Colors& colors = Theme::instance().colors();
    const bool over = limit > 0 && bytes > limit;
    double right = m_width - margin;
    painter->setFont(font(over ? Theme::heading() : Theme::secondary()));
    painter->setPen(over ? colors.bad : colors.text);
    painter->drawText(QRectF(left, line.top(), right - left, line.height()),
                      Qt::AlignVCenter | Qt::AlignRight, text);
    right -= QFontMetricsF(painter->font()).horizontalAdvance(text) + 10;
    const double length = std::min(barWidth, right - left);
    if (limit == 0 || length < leastBar) return;
    const double part =
        std::clamp(static_cast<double>(bytes) / static_cast<double>(limit), 0.0, 1.0);
    const QRectF bar(right - length, line.center().y() - barHeight / 2, length, barHeight);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colors.border);
    painter->drawRoundedRect(bar, 4, 4);
    painter->setBrush(over ? colors.bad : Theme::device(deviceIndex(device)));
    painter->drawRoundedRect(
        QRectF(bar.left(), bar.top(), std::max(barHeight, part * length), barHeight), 4, 4);
}

}  // namespace strata::ui
