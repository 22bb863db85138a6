// The line between two cards; shows the shape that passes on hover, and where a dragged layer would
// go. One between layers can be selected.
#pragma once

#include <QGraphicsPathItem>
#include <QString>

#include "ui/canvas/layout.h"

namespace strata::ui {

class EdgeItem : public QGraphicsPathItem {
public:
    // from, to: names of layers; "" for the loss.
    EdgeItem(QString from, QString to, const QString& shape);

    const QString& from() const { return m_from; }
    const QString& to() const { return m_to; }
    // Below one card to above another, with no card between them.
    void setEnds(QPointF start, QPointF end);
    // Past cards: from the side of one card to the side of another, both in scene coordinates.
    void setSides(const QRectF& source, const QRectF& target, const SideWay& way);
    QPointF middle() const { return m_middle; }
    void setInsertion(bool on);  // an insertion point opens here
    QRectF boundingRect() const override;
    QPainterPath shape() const override;  // a few pixels beside the line
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    double insertionReach() const;  // of the mark, to both sides
    QString m_from, m_to;
    QPointF m_middle;
    bool m_insertion = false, m_atSide = false;
};

}  // namespace strata::ui
