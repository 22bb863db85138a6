#include "ui/canvas/edge_item.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double reach = 10;  // width of what the mouse takes for the line

}  // namespace

EdgeItem::EdgeItem(QString from, QString to, const QString& shape)
    : m_from(std::move(from)), m_to(std::move(to)) {
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
    setPath(path);
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
    m_atSide = true;
    setPath(path);
}

void EdgeItem::setInsertion(bool on) {
    if (on == m_insertion) return;
    m_insertion = on;
    update();
}

// Beside cards there is room for a short mark only.
double EdgeItem::insertionReach() const {
    return m_atSide ? 10 : cardWidth / 2 - 8;
}

QRectF EdgeItem::boundingRect() const {
    return path()
        .boundingRect()
        .united(QRectF(m_middle - QPointF(insertionReach() + 6, 8),
                       QSizeF(2 * insertionReach() + 12, 16)))
        .adjusted(-6, -4, 6, 4);
}

QPainterPath EdgeItem::shape() const {
    QPainterPathStroker stroker;
    stroker.setWidth(reach);
    return stroker.createStroke(path());
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Colors& colors = Theme::instance().colors();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(isSelected()
                        ? QPen(colors.accent, 3)
                        : QPen(colors.secondary, 1.5, m_atSide ? Qt::DashLine : Qt::SolidLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path());
    if (!m_insertion) return;
    painter->setPen(QPen(colors.accent, 3, Qt::SolidLine, Qt::RoundCap));
    painter->drawLine(m_middle - QPointF(insertionReach(), 0),
                      m_middle + QPointF(insertionReach(), 0));
    painter->setBrush(colors.accent);
    painter->drawEllipse(m_middle, 5, 5);
}

}  // namespace strata::ui
