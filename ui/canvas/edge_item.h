// The line between two cards; shows the shape that passes on hover, and where a dragged layer would
// go.
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
    void setEnds(QPointF start, QPointF end);
    QPointF middle() const { return m_middle; }
    void setInsertion(bool on);  // an insertion point opens here
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    QString m_from, m_to;
    QPointF m_middle;
    bool m_insertion = false;
};

}  // namespace strata::ui
