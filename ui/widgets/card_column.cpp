#include "ui/widgets/card_column.h"

#include <QEvent>
#include <QFrame>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

namespace strata::ui {

QVBoxLayout* makeCard(QVBoxLayout& column) {
    auto* frame = new QFrame;
    frame->setProperty("card", true);
    auto* box = new QVBoxLayout(frame);
    box->setContentsMargins(12, 8, 12, 8);
    box->setSpacing(4);
    column.addWidget(frame);
    return box;
}

CardColumn::CardColumn(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    m_column = new QVBoxLayout(content);
    m_column->setContentsMargins(12, 8, 12, 8);
    m_column->setSpacing(8);
    setWidget(content);
}

// Made anew: cards are few. While the page is hidden, when it is shown again.
void CardColumn::rebuild() {
    m_due = !isVisible();
    if (m_due) return;
    // A focused button that is hidden hands its focus on, and the area scrolls to whom it meets:
    // the area takes it for the time, and gives it to the button in its place.
    const int scrolled = verticalScrollBar()->value();
    const qsizetype focused =
        buttons().indexOf(qobject_cast<QPushButton*>(window()->focusWidget()));
    if (focused >= 0) setFocus(Qt::OtherFocusReason);
    while (QLayoutItem* item = m_column->takeAt(0)) {
        if (QWidget* old = item->widget(); old != nullptr) {
            old->hide();
            old->setParent(nullptr);
            old->deleteLater();  // one of its buttons may be what was clicked
        }
        delete item;
    }
    fill(*m_column);
    m_column->addStretch(1);
    // The layout counts only what is shown: without, the page would be short for a moment.
    for (int i = 0; i < m_column->count(); ++i)
        if (QWidget* card = m_column->itemAt(i)->widget(); card != nullptr) card->show();
    m_column->activate();
    verticalScrollBar()->setValue(scrolled);
    if (focused >= 0) focusButton(focused);
}

QList<QPushButton*> CardColumn::buttons() const {
    QList<QPushButton*> all;
    for (int i = 0; i < m_column->count(); ++i)
        if (const QWidget* card = m_column->itemAt(i)->widget(); card != nullptr)
            all << card->findChildren<QPushButton*>();
    return all;
}

// The button of this place, or the next that can be pressed.
void CardColumn::focusButton(qsizetype place) {
    if (window()->focusWidget() != this) return;
    const QList<QPushButton*> all = buttons();
    for (qsizetype i = place; i < all.size(); ++i)
        if (all[i]->isEnabled()) return all[i]->setFocus(Qt::OtherFocusReason);
}

void CardColumn::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) rebuild();
    QScrollArea::changeEvent(event);
}

void CardColumn::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    if (m_due) rebuild();
}

}  // namespace strata::ui
