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
    // From a card in one device's lane to a card in another's, of that device.
    void setCrossing(const QRectF& source, const QRectF& target, const QString& device);
    bool crosses() const { return !m_device.isEmpty(); }
    void setLabel(const QString& text, const QString& tip);  // of one that crosses
    QString label() const { return m_label; }
    QPointF middle() const { return m_middle; }
    // Where a card that is dropped into the lane of one of its ends would go.
    QPointF anchor(bool atTarget) const { return atTarget ? m_end : m_start; }
    void setCardWidth(double width) { m_cardWidth = width; }
    void setInsertion(bool on);  // an insertion point opens in the middle
    void setInsertion(bool on, QPointF at);
    QRectF boundingRect() const override;
    QPainterPath shape() const override;  // a few pixels beside the line
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    double insertionReach() const;  // of the mark, to both sides
    QRectF labelRect() const;
    void paintLabel(QPainter* painter) const;
    QString m_from, m_to, m_device, m_label, m_shape;
    QPointF m_middle, m_start, m_end, m_insertionAt;
    double m_cardWidth = cardWidth;
    bool m_insertion = false, m_atSide = false;
};

}  // namespace strata::ui
