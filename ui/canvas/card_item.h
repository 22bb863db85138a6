// A layer's card, and the loss's at the end. Paints itself from plain data; the scene owns and
// moves it.
#pragma once

#include <QGraphicsItem>
#include <QString>
#include <QStringList>

#include "engine/layers/spec.h"
#include "ui/canvas/layout.h"

namespace strata::ui {

struct CardData {
    QString name;         // of the layer: its id on the canvas
    QString title;        // type
    QString summary;      // main parameters
    QString shape;        // "(26, 26, 32)"
    QString count;        // parameters, "" where none
    QString device;       // "cpu:0"
    QString shares;       // the layer whose weights it uses, "" where they are its own
    QStringList sharers;  // that use its weights
    QString error;        // "" where it is fine
    QString icon;         // name of a drawing
    layers::LayerCategory category = layers::LayerCategory::core;
    bool isLoss = false;
    double width = cardWidth;

    // The name says more than the type: "classes" of a Dense does, "flatten" of a Flatten does not.
    bool namesItself() const;
    QString tip() const;  // its error, or whose weights are shared
};

class CardItem : public QGraphicsItem {
public:
    explicit CardItem(CardData data);

    const CardData& data() const { return m_data; }
    void setData(CardData data);
    QRectF boundingRect() const override;
    QRectF cardRect() const;
    // That a card with this error is taller.
    static double errorHeight(const QString& text, double width = cardWidth);
    QRectF portRect() const;  // where a connection to another card begins; empty for the loss
    void setTarget(bool on);  // a connection that is drawn would end here
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

protected:
    void hoverMoveEvent(QGraphicsSceneHoverEvent* event) override;
    void hoverLeaveEvent(QGraphicsSceneHoverEvent* event) override;

private:
    void setPortHovered(bool on);
    void paintPort(QPainter* painter) const;
    void paintTexts(QPainter* painter) const;
    void paintDevice(QPainter* painter) const;
    double paintShared(QPainter* painter, double right) const;  // returns the width it took
    void paintError(QPainter* painter) const;
    CardData m_data;
    bool m_target = false, m_portHovered = false;
};

}  // namespace strata::ui
