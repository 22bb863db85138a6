// The line from a card's port to the mouse while a connection is drawn.
#pragma once

#include <QGraphicsPathItem>
#include <QString>

namespace strata::ui {

class CardItem;

class LinkItem : public QGraphicsPathItem {
public:
    LinkItem(QString from, QPointF start);

    const QString& from() const { return m_from; }
    void setEnd(QPointF end);
    void setTarget(CardItem* card);  // the card that would read it; it shows that; null: none

private:
    QString m_from;
    QPointF m_start;
    CardItem* m_target = nullptr;
};

}  // namespace strata::ui
