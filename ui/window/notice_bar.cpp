#include "ui/window/notice_bar.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "ui/widgets/theme.h"

namespace strata::ui {

NoticeBar::NoticeBar(QAction* offered, QWidget* parent)
    : QFrame(parent), m_text(new QLabel), m_offer(new QToolButton), m_close(new QToolButton) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(36, 6, 8, 6);
    row->addWidget(m_text, 1);
    row->addWidget(m_offer, 0, Qt::AlignTop);
    row->addWidget(m_close, 0, Qt::AlignTop);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_offer->setDefaultAction(offered);
    m_offer->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_offer->setProperty("offer", true);
    m_close->setText(QStringLiteral("×"));
    m_close->setAutoRaise(true);
    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    retranslate();
    hide();
}

void NoticeBar::show(Kind kind, const QString& text, bool offer) {
    m_kind = kind;
    m_offer->setVisible(offer);
    m_text->setText(text);
    setAccessibleName(text);
    setVisible(true);
    update();
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
    const QColor ink = m_kind == Kind::error ? colors.bad : colors.accent;
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
    if (m_kind == Kind::error) {
        painter.drawPolygon(
            QPolygonF{at + QPointF(0, -7), at + QPointF(8, 7), at + QPointF(-8, 7)});
    } else {
        painter.drawEllipse(at, 7.5, 7.5);
    }
    painter.drawLine(at + QPointF(0, -2), at + QPointF(0, 2));
    painter.drawPoint(at + QPointF(0, 4.6));
}

}  // namespace strata::ui
