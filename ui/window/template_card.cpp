#include "ui/window/template_card.h"

#include <QEvent>
#include <QPainter>

#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"
#include "ui/window/stack_picture.h"

namespace strata::ui {
namespace {

constexpr int cardWide = 264, pictureTall = 272, margin = 20;

// Below the picture.
int textTall() {
    return Theme::px(108);
}

}  // namespace

TemplateCard::TemplateCard(const train::Template& entry, QWidget* parent)
    : QAbstractButton(parent), m_entry(entry), m_model(train::make_template(entry.name).model) {
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setFixedSize(sizeHint());
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
    retranslate();
}

QSize TemplateCard::sizeHint() const {
    return {Theme::px(cardWide), pictureTall + textTall()};
}

void TemplateCard::retranslate() {
    setText(catalogueText(m_entry.title));
    setAccessibleName(text());
    setAccessibleDescription(catalogueText(m_entry.doc));
    setToolTip(tr("Start a project from this template"));
    update();
}

void TemplateCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QAbstractButton::changeEvent(event);
}

void TemplateCard::paintEvent(QPaintEvent*) {
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(1, 1, -1, -1);
    const bool marked = hasFocus() || underMouse();
    painter.setPen(QPen(marked ? colors.accent : colors.border, hasFocus() ? 2 : 1));
    painter.setBrush(colors.panel);
    painter.drawRoundedRect(card, 8, 8);
    const QRectF picture(card.left() + 1, card.top() + 1, card.width() - 2,
                         card.height() - textTall());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.canvas);
    painter.drawRoundedRect(picture, 7, 7);
    painter.drawRect(picture.adjusted(0, 8, 0, 0));
    paintStack(painter, picture.adjusted(margin * 2, 16, -margin * 2, -16), m_model);
    const QRectF words = card.adjusted(16, card.height() - textTall() + 12, -16, -10);
    painter.setPen(colors.text);
    painter.setFont(Theme::heading());
    painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, text());
    painter.setPen(colors.secondary);
    painter.setFont(Theme::secondary());
    painter.drawText(words.adjusted(0, Theme::px(26), 0, 0),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, catalogueText(m_entry.doc));
}

}  // namespace strata::ui
