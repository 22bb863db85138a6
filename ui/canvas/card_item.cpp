#include "ui/canvas/card_item.h"

#include <QCoreApplication>
#include <QCursor>
#include <QFontMetricsF>
#include <QGraphicsSceneHoverEvent>
#include <QPainter>
#include <QRegularExpression>

#include "ui/widgets/device_mark.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double errorMargin = 8;       // below an error's last line
constexpr double iconOversampling = 2;  // stays sharp when zoomed in
constexpr double lossHeight = 34;
constexpr double linkWidth = 19, sharedRoom = 80;
constexpr double nameGap = 8;  // between a layer's type and its name
constexpr double portReach = 9, portRadius = 3.5, hoveredPortRadius = 6;

// The canvas as a whole is scaled with the system's text.
QFont font(const QFont& scaled) {
    return Theme::unscaled(scaled);
}

void drawElided(QPainter* painter, const QRectF& rect, const QFont& face, const QColor& color,
                const QString& text, Qt::Alignment alignment) {
    painter->setFont(face);
    painter->setPen(color);
    painter->drawText(rect, alignment | Qt::TextSingleLine,
                      elidedFacts(text, QFontMetricsF(face), rect.width()));
}

}  // namespace

bool CardData::namesItself() const {
    static const QRegularExpression numbered("_\\d+$");
    return !isLoss && (name.contains(numbered) ||
                       !title.startsWith(QString(name).remove('_'), Qt::CaseInsensitive));
}

QString CardData::tip() const {
    const auto say = [](const char* text) {
        return QCoreApplication::translate("strata::ui::Canvas", text);
    };
    QStringList lines;
    if (width < cardWidth && !isLoss) {  // it may be cut off there
        QStringList all{title, name, shape, summary};
        all.removeAll(QString());
        lines << all.join(QStringLiteral(" · "));
    }
    if (!error.isEmpty()) lines << error;
    if (!shares.isEmpty())
        lines << say(QT_TRANSLATE_NOOP("strata::ui::Canvas",
                                       "Uses the weights of %1: both train one set"))
                     .arg(shares);
    if (!sharers.isEmpty())
        lines << say(QT_TRANSLATE_NOOP("strata::ui::Canvas", "Its weights are used by %1, too"))
                     .arg(sharers.join(", "));
    return lines.join('\n');
}

CardItem::CardItem(CardData data) : m_data(std::move(data)) {
    setFlag(ItemIsSelectable, !m_data.isLoss);
    setAcceptHoverEvents(true);
    setCursor(QCursor(m_data.isLoss ? Qt::ArrowCursor : Qt::PointingHandCursor));
}

void CardItem::setData(CardData data) {
    prepareGeometryChange();
    m_data = std::move(data);
    setToolTip(m_data.tip());
    update();
}

QRectF CardItem::cardRect() const {
    return {0, 0, m_data.width,
            (m_data.isLoss ? lossHeight : cardHeight) + errorHeight(m_data.error, m_data.width)};
}

double CardItem::errorHeight(const QString& text, double width) {
    if (text.isEmpty()) return 0;
    const QRectF room(0, 0, width - 28, 10 * cardHeight);
    return QFontMetricsF(font(Theme::secondary()))
               .boundingRect(room, Qt::TextWordWrap, text)
               .height() +
           errorMargin;
}

QRectF CardItem::portRect() const {
    if (m_data.isLoss) return {};
    return {m_data.width / 2 - portReach, cardRect().bottom() - portReach, 2 * portReach,
            2 * portReach};
}

void CardItem::setTarget(bool on) {
    m_target = on;
    update();
}

void CardItem::hoverMoveEvent(QGraphicsSceneHoverEvent* event) {
    setPortHovered(portRect().contains(event->pos()));
}

void CardItem::hoverLeaveEvent(QGraphicsSceneHoverEvent*) {
    setPortHovered(false);
}

void CardItem::setPortHovered(bool on) {
    if (on == m_portHovered) return;
    m_portHovered = on;
    setCursor(QCursor(on ? Qt::CrossCursor : Qt::PointingHandCursor));
    setToolTip(on ? QCoreApplication::translate("strata::ui::Canvas",
                                                "Drag to the layer that shall read this one")
                  : m_data.tip());
    update();
}

QRectF CardItem::boundingRect() const {
    return cardRect().adjusted(-3, -3, 8, 9);
}

void CardItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Colors& colors = Theme::instance().colors();
    const QRectF card = cardRect();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(QColor(0, 0, 0, colors.dark ? 70 : 18));
    painter->drawRoundedRect(card.translated(0, 1.5), cardRadius, cardRadius);
    const bool failed = !m_data.error.isEmpty();
    const QColor edge = failed                     ? colors.bad
                        : isSelected() || m_target ? colors.accent
                                                   : colors.border;
    painter->setPen(QPen(edge, failed || isSelected() || m_target ? 2 : 1));
    painter->setBrush(colors.panel);
    painter->drawRoundedRect(card, cardRadius, cardRadius);
    if (!m_data.isLoss) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(Theme::layer(m_data.category));
        painter->drawRoundedRect(QRectF(1, 3, 4, card.height() - 6), 2, 2);
    }
    const QColor tint =
        m_data.isLoss ? colors.secondary : Theme::onPanel(Theme::layer(m_data.category));
    painter->drawPixmap(QPointF(16, (m_data.isLoss ? lossHeight : cardHeight) / 2 - 10),
                        iconPixmap(m_data.icon, 20, tint,
                                   painter->device()->devicePixelRatioF() * iconOversampling));
    paintTexts(painter);
    if (!m_data.device.isEmpty()) paintDevice(painter);
    if (failed) paintError(painter);
    if (!m_data.isLoss) paintPort(painter);
}

void CardItem::paintPort(QPainter* painter) const {
    const Colors& colors = Theme::instance().colors();
    const double radius = m_portHovered ? hoveredPortRadius : portRadius;
    painter->setPen(QPen(m_portHovered ? colors.accent : colors.secondary, 1.5));
    painter->setBrush(colors.panel);
    painter->drawEllipse(portRect().center(), radius, radius);
}

void CardItem::paintError(QPainter* painter) const {
    painter->setFont(font(Theme::secondary()));
    painter->setPen(Theme::instance().colors().bad);
    const double top = (m_data.isLoss ? lossHeight : cardHeight) - 3;
    painter->drawText(QRectF(16, top, m_data.width - 28, cardRect().bottom() - top),
                      Qt::AlignLeft | Qt::TextWordWrap, m_data.error);
}

void CardItem::paintTexts(QPainter* painter) const {
    const Colors& colors = Theme::instance().colors();
    const double left = 46, right = m_data.width - 12;
    if (m_data.isLoss) {
        const QRectF row(0, 0, m_data.width, lossHeight);
        drawElided(painter, {left, 0, 90, row.height()}, font(Theme::heading()), colors.text,
                   m_data.title, Qt::AlignLeft | Qt::AlignVCenter);
        drawElided(painter, {left + 70, 0, right - left - 70, row.height()},
                   font(Theme::secondary()), colors.secondary, m_data.summary,
                   Qt::AlignRight | Qt::AlignVCenter);
        return;
    }
    const double shapeWidth =
        QFontMetricsF(font(Theme::mono())).horizontalAdvance(m_data.shape) + 2;
    const double chip =
        QFontMetricsF(font(Theme::secondary())).horizontalAdvance(m_data.device) + 22;
    const double link = paintShared(painter, right - chip - 4);
    const double countWidth =
        link + QFontMetricsF(font(Theme::secondary())).horizontalAdvance(m_data.count) + 2;
    const double room = right - left - shapeWidth - 8;
    drawElided(painter, {left, 6, room, 20}, font(Theme::heading()), colors.text, m_data.title,
               Qt::AlignLeft | Qt::AlignVCenter);
    const double typeWidth =
        QFontMetricsF(font(Theme::heading())).horizontalAdvance(m_data.title) + nameGap;
    if (m_data.namesItself() && room > typeWidth)
        drawElided(painter, {left + typeWidth, 6, room - typeWidth, 20}, font(Theme::secondary()),
                   colors.secondary, m_data.name, Qt::AlignLeft | Qt::AlignVCenter);
    drawElided(painter, {right - shapeWidth, 6, shapeWidth, 20}, font(Theme::mono()), colors.text,
               m_data.shape, Qt::AlignRight | Qt::AlignVCenter);
    drawElided(painter, {left, 26, right - left - countWidth - chip - 16, 18},
               font(Theme::secondary()), colors.secondary, m_data.summary,
               Qt::AlignLeft | Qt::AlignVCenter);
    drawElided(painter, {right - countWidth - chip - 4, 26, countWidth - link, 18},
               font(Theme::secondary()), colors.secondary, m_data.count,
               Qt::AlignRight | Qt::AlignVCenter);
}

// Two links of a chain, and of a layer that uses another's weights the other's name.
double CardItem::paintShared(QPainter* painter, double right) const {
    if (m_data.shares.isEmpty() && m_data.sharers.isEmpty()) return 0;
    const Colors& colors = Theme::instance().colors();
    const QFont face = font(Theme::secondary());
    const QString name = QFontMetricsF(face).elidedText(m_data.shares, Qt::ElideRight, sharedRoom);
    const double text = name.isEmpty() ? 0 : QFontMetricsF(face).horizontalAdvance(name) + 4;
    const double left = right - text - linkWidth;
    painter->setPen(QPen(colors.accent, 1.5));
    painter->setBrush(Qt::NoBrush);
    for (const double x : {0.0, 6.0}) painter->drawRoundedRect(QRectF(left + x, 32, 9, 6), 3, 3);
    if (!name.isEmpty()) {
        painter->setFont(face);
        painter->setPen(colors.text);
        painter->drawText(QRectF(left + linkWidth, 26, text, 18), Qt::AlignVCenter, name);
    }
    return text + linkWidth + 4;
}

void CardItem::paintDevice(QPainter* painter) const {
    const Colors& colors = Theme::instance().colors();
    const double width =
        QFontMetricsF(font(Theme::secondary())).horizontalAdvance(m_data.device) + 20;
    const QRectF chip(m_data.width - 10 - width, 27, width, 17);
    QPainterPath area;
    area.addRoundedRect(chip, 8, 8);
    paintDeviceWash(*painter, area, m_data.device, colors.dark ? 70 : 36);
    paintDeviceDot(*painter, {chip.left() + 8.5, chip.center().y()}, 3.5, m_data.device);
    painter->setFont(font(Theme::secondary()));
    painter->setPen(colors.text);
    painter->drawText(chip.adjusted(15, 0, 0, 0), Qt::AlignVCenter, m_data.device);
}

}  // namespace strata::ui
