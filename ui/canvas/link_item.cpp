#include "ui/canvas/link_item.h"

#include <QPen>

#include "ui/canvas/card_item.h"
#include "ui/widgets/theme.h"

namespace strata::ui {

LinkItem::LinkItem(QString from, QPointF start) : m_from(std::move(from)), m_start(start) {
    setPen(QPen(Theme::instance().colors().accent, 2, Qt::DashLine, Qt::RoundCap));
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(1);
    setEnd(start);
}

void LinkItem::setEnd(QPointF end) {
    QPainterPath path(m_start);
    path.lineTo(end);
    setPath(path);
}

void LinkItem::setTarget(CardItem* card) {
    if (card == m_target) return;
    if (m_target != nullptr) m_target->setTarget(false);
    m_target = card;
    if (m_target != nullptr) m_target->setTarget(true);
}

}  // namespace strata::ui
