#include "ui/canvas/edge_item.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/device_mark.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double reach = 10;  // width of what the mouse takes for the line
constexpr double anchorGap = 8, labelHeight = 22;

}  // namespace

EdgeItem::EdgeItem(QString from, QString to, const QString& shape)
    : m_from(std::move(from)), m_to(std::move(to)), m_shape(shape) {
    setToolTip(shape);
    setZValue(-1);
    setAcceptHoverEvents(true);
    setFlag(ItemIsSelectable, !m_to.isEmpty());
}

void EdgeItem::setEnds(QPointF start, QPointF end) {
    QPainterPath path(start);
    if (qFuzzyCompare(start.x() + 1.0, end.x() + 1.0)) {
        path.lineTo(end);
    } else {
        const double bend = std::min(60.0, (end.y() - start.y()) / 2 + 20);
        path.cubicTo(start + QPointF(0, bend), end - QPointF(0, bend), end);
    }
    m_middle = path.pointAtPercent(0.5);
    m_start = start + QPointF(0, anchorGap);
    m_end = end - QPointF(0, anchorGap);
    setPath(path);
}

void EdgeItem::setCrossing(const QRectF& source, const QRectF& target, const QString& device) {
    m_device = device;
    const bool right = target.center().x() > source.center().x();
    const QPointF start(right ? source.right() : source.left(), source.center().y());
    const QPointF end(right ? target.left() : target.right(), target.center().y());
    const double bend = (right ? 1 : -1) * std::max(56.0, std::abs(end.x() - start.x()) / 2);
    QPainterPath path(start);
    path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end);
    m_middle = path.pointAtPercent(0.5);
    m_start = {source.center().x(), source.bottom() + anchorGap};
    m_end = {target.center().x(), target.top() - anchorGap};
    m_atSide = true;
    setPath(path);
}

void EdgeItem::setLabel(const QString& text, const QString& tip) {
    prepareGeometryChange();
    m_label = text;
    setZValue(text.isEmpty() ? -1 : 1);  // the words stand above lanes and cards
    setToolTip(tip.isEmpty() ? m_shape : m_shape + QStringLiteral("\n") + tip);
    update();
}

void EdgeItem::setSides(const QRectF& source, const QRectF& target, const SideWay& way) {
    constexpr double inset = 14, corner = 18;  // from a card's edge; of the curve
    const double sign = way.right ? 1 : -1;
    const auto side = [](const QRectF& card, bool right) {
        return right ? card.right() : card.left();
    };
    const bool down = target.top() > source.bottom();
    const QPointF start(side(source, way.right),
                        down ? source.center().y() : source.bottom() - inset);
    const QPointF end(side(target, way.right != way.crosses),
                      down ? target.center().y() : target.top() + inset);
    const double lane = start.x() + sign * way.reach;
    const double turn =
        std::copysign(std::min(corner, std::abs(end.y() - start.y()) / 2), end.y() - start.y());
    QPainterPath path(start);
    path.quadTo({lane, start.y()}, {lane, start.y() + turn});
    path.lineTo(lane, end.y() - turn);
    path.quadTo({lane, end.y()}, end);
    m_middle = {lane, (start.y() + end.y()) / 2};
    m_start = m_end = m_middle;
    m_atSide = true;
    setPath(path);
}

void EdgeItem::setInsertion(bool on) {
    setInsertion(on, m_middle);
}

void EdgeItem::setInsertion(bool on, QPointF at) {
    prepareGeometryChange();
    m_insertion = on;
    m_insertionAt = at;
    update();
}

// Beside cards there is room for a short mark only.
double EdgeItem::insertionReach() const {
    return m_atSide && !crosses() ? 10 : m_cardWidth / 2 - 8;
}

QRectF EdgeItem::boundingRect() const {
    QRectF rect = path().boundingRect().united(labelRect());
    if (m_insertion)
        rect = rect.united(QRectF(m_insertionAt - QPointF(insertionReach() + 6, 8),
                                  QSizeF(2 * insertionReach() + 12, 16)));
    return rect.adjusted(-6, -4, 6, 4);
}

QRectF EdgeItem::labelRect() const {
    if (m_label.isEmpty()) return {};
    const QFontMetricsF metrics(Theme::unscaled(Theme::secondary()));
    const QSizeF size(metrics.horizontalAdvance(m_label) + 20, labelHeight);
    return {m_middle - QPointF(size.width() / 2, size.height() / 2), size};
}

QPainterPath EdgeItem::shape() const {
    QPainterPathStroker stroker;
    stroker.setWidth(reach);
    QPainterPath shape = stroker.createStroke(path());
    if (!m_label.isEmpty()) shape.addRect(labelRect());
    return shape;
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Colors& colors = Theme::instance().colors();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor ink = crosses() ? Theme::device(deviceIndex(m_device)) : colors.secondary;
    painter->setPen(isSelected()
                        ? QPen(colors.accent, 3)
                        : QPen(ink, crosses() ? 2 : 1.5, m_atSide ? Qt::DashLine : Qt::SolidLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path());
    if (!m_label.isEmpty()) paintLabel(painter);
    if (!m_insertion) return;
    painter->setPen(QPen(colors.accent, 3, Qt::SolidLine, Qt::RoundCap));
    painter->drawLine(m_insertionAt - QPointF(insertionReach(), 0),
                      m_insertionAt + QPointF(insertionReach(), 0));
    painter->setBrush(colors.accent);
    painter->drawEllipse(m_insertionAt, 5, 5);
}

void EdgeItem::paintLabel(QPainter* painter) const {
    const Colors& colors = Theme::instance().colors();
    const QRectF pill = labelRect();
    painter->setPen(QPen(isSelected() ? colors.accent : colors.border, 1));
    painter->setBrush(colors.panel);
    painter->drawRoundedRect(pill, labelHeight / 2, labelHeight / 2);
    painter->setFont(Theme::unscaled(Theme::secondary()));
    painter->setPen(colors.text);
    painter->drawText(pill, Qt::AlignCenter, m_label);
}

}  // namespace strata::ui
