// The line between two cards; shows the shape that passes on hover, and where a dragged layer would
// go. One between layers can be selected.
#pragma once

#include <QGraphicsPathItem>
#include <QString>

namespace strata::ui {

class EdgeItem : public QGraphicsPathItem {
public:
    // from, to: names of layers; "" for the loss.
    EdgeItem(QString from, QString to, const QString& shape);

    const QString& from() const { return m_from; }
    const QString& to() const { return m_to; }
    // around: beside the cards that stand between the two, as a skip connection is drawn.
    void setEnds(QPointF start, QPointF end, bool around = false);
    QPointF middle() const { return m_middle; }
    void setInsertion(bool on);  // an insertion point opens here
    QRectF boundingRect() const override;
    QPainterPath shape() const override;  // a few pixels beside the line
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QString m_from, m_to;
    QPointF m_middle;
    bool m_insertion = false;
};

}  // namespace strata::ui
