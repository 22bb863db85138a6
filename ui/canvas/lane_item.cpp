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

constexpr double corner = 8, barWidth = 84, leastBar = 28, barHeight = 8, margin = 14;

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

QString memoryTextOf(const LaneData& data) {
    if (!data.planned) return {};
    if (data.limit == 0) return formatBytes(data.bytes);
    return formatBytes(data.bytes) + QStringLiteral(" / ") + formatBytes(data.limit);
}

}  // namespace

LaneItem::LaneItem(const LaneData& data, const QRectF& rect)
    : m_device(data.device), m_rect(rect), m_new(data.isNew) {
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
    painter->drawText(m_rect.adjusted(margin, laneHeader + 12, -margin, -12),
                      Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                      LaneWords::tr("Drag a card here"));
}

LaneHeaderItem::LaneHeaderItem(const LaneData& data, double width) : m_data(data), m_width(width) {
    setZValue(3);
    setCursor(Qt::PointingHandCursor);
    setData(data);
}

void LaneHeaderItem::setData(const LaneData& data) {
    m_data = data;
    setToolTip(m_data.isNew ? LaneWords::tr("Place the selected layers on %1").arg(m_data.device)
                            : LaneWords::tr("%1. Click to select its layers").arg(words()));
    update();
}

QString LaneHeaderItem::words() const {
    if (m_data.isNew) return LaneWords::tr("+ %1").arg(m_data.device);
    QStringList parts{m_data.device};
    if (const QString share = shareText(m_data); !share.isEmpty()) parts << share;
    if (const QString memory = memoryTextOf(m_data); !memory.isEmpty())
        parts << (m_data.over() ? LaneWords::tr("%1: too much").arg(memory) : memory);
    return parts.join(", ");
}

QRectF LaneHeaderItem::boundingRect() const {
    return {0, 0, m_width, laneHeader};
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
    double left = margin + 18;
    const auto write = [&](const QFont& face, const QString& text, double gap) {
        painter->setFont(face);
        painter->setPen(colors.text);
        painter->drawText(QRectF(left, 0, m_width - left, laneHeader), Qt::AlignVCenter, text);
        left += QFontMetricsF(face).horizontalAdvance(text) + gap;
    };
    write(font(Theme::heading()), m_data.device, 10);
    write(font(Theme::secondary()), shareText(m_data), 12);
    paintMemory(painter, left);
}

// The amount at the right, and before it a bar where there is room.
void LaneHeaderItem::paintMemory(QPainter* painter, double left) const {
    if (!m_data.planned) return;
    const Colors& colors = Theme::instance().colors();
    const QString text = memoryTextOf(m_data);
    double right = m_width - margin;
    painter->setFont(font(m_data.over() ? Theme::heading() : Theme::secondary()));
    painter->setPen(m_data.over() ? colors.bad : colors.text);
    painter->drawText(QRectF(left, 0, right - left, laneHeader), Qt::AlignVCenter | Qt::AlignRight,
                      text);
    right -= QFontMetricsF(painter->font()).horizontalAdvance(text) + 10;
    const double length = std::min(barWidth, right - left);
    if (m_data.limit == 0 || length < leastBar) return;
    const double part =
        std::clamp(static_cast<double>(m_data.bytes) / static_cast<double>(m_data.limit), 0.0, 1.0);
    const QRectF bar(right - length, (laneHeader - barHeight) / 2, length, barHeight);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colors.border);
    painter->drawRoundedRect(bar, 4, 4);
    painter->setBrush(m_data.over() ? colors.bad : Theme::device(deviceIndex(m_data.device)));
    painter->drawRoundedRect(
        QRectF(bar.left(), bar.top(), std::max(barHeight, part * length), barHeight), 4, 4);
}

}  // namespace strata::ui
