// A page of cards with buttons below each other, made anew when what it tells changes: at once, or
// when it is shown again. The scroll position and the focused button's place stay.
#pragma once

#include <QScrollArea>

class QPushButton;
class QVBoxLayout;

namespace strata::ui {

class CardColumn : public QScrollArea {
public:
    explicit CardColumn(QWidget* parent = nullptr);

    QList<QPushButton*> buttons() const;  // of all cards, from the top

protected:
    // Puts the cards into the column, which is empty.
    virtual void fill(QVBoxLayout& column) = 0;
    void rebuild();
    void changeEvent(QEvent* event) override;  // the language: made anew
    void showEvent(QShowEvent* event) override;

private:
    void focusButton(qsizetype place);

    QVBoxLayout* m_column;
    bool m_due = true;
};

// A card's frame, with the layout that takes what stands in it.
QVBoxLayout* makeCard(QVBoxLayout& column);

}  // namespace strata::ui
