#include "ui/window/notice_bar.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "ui/widgets/theme.h"

namespace strata::ui {

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent),
      m_grid(new QGridLayout(this)),
      m_text(new QLabel),
      m_row(new QWidget),
      m_buttons(new QHBoxLayout(m_row)),
      m_close(new QToolButton) {
    m_grid->setContentsMargins(36, 6, 8, 6);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 1);
    m_grid->addWidget(m_text, 0, 0);
    m_grid->addWidget(m_close, 0, 2, Qt::AlignTop);
    m_buttons->setContentsMargins(0, 0, 0, 0);
    m_buttons->setSpacing(8);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_close->setText(QStringLiteral("×"));
    m_close->setAutoRaise(true);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    retranslate();
    hide();
}

void NoticeBar::show(Kind kind, const QString& text, const QList<QAction*>& offers) {
    m_kind = kind;
    m_text->setText(text);
    setOffers(offers);
    setAccessibleName(text);
    setVisible(true);
    update();
}

// One button stands beside the text, several below it.
void NoticeBar::setOffers(const QList<QAction*>& offers) {
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        if (QWidget* old = item->widget(); old != nullptr) {
            old->hide();
            old->deleteLater();  // it may be what was clicked
        }
        delete item;
    }
    for (QAction* old : std::as_const(m_actions))
        if (old->parent() == this && !offers.contains(old)) old->deleteLater();
    m_actions = offers;
    for (QAction* offer : offers) {
        auto* button = new QToolButton;
        button->setDefaultAction(offer);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setProperty("offer", true);
        m_buttons->addWidget(button);
    }
    m_grid->removeWidget(m_row);
    if (offers.size() > 1) {
        m_buttons->addStretch(1);
        m_grid->addWidget(m_row, 1, 0, 1, 3);
    } else {
        m_grid->addWidget(m_row, 0, 1, Qt::AlignTop);
    }
    m_row->setVisible(!offers.isEmpty());
}

QString NoticeBar::text() const {
    return isHidden() ? QString() : m_text->text();
}

void NoticeBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QFrame::changeEvent(event);
}

void NoticeBar::retranslate() {
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(m_close->toolTip());
}

void NoticeBar::paintEvent(QPaintEvent*) {
    const Colors& colors = Theme::instance().colors();
    const QColor ink = m_kind == Kind::error     ? colors.bad
                       : m_kind == Kind::warning ? colors.warning
                                                 : colors.accent;
    QColor wash = ink;
    wash.setAlpha(colors.dark ? 40 : 24);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(rect(), wash);
    painter.fillRect(QRect(0, 0, 4, height()), ink);
    // A triangle warns, a circle tells: read without colour, too.
    const QPointF at(20, 17);
    painter.setPen(QPen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (m_kind != Kind::hint) {
        painter.drawPolygon(
            QPolygonF{at + QPointF(0, -7), at + QPointF(8, 7), at + QPointF(-8, 7)});
    } else {
        painter.drawEllipse(at, 7.5, 7.5);
    }
    painter.drawLine(at + QPointF(0, -2), at + QPointF(0, 2));
    painter.drawPoint(at + QPointF(0, 4.6));
}

}  // namespace strata::ui
