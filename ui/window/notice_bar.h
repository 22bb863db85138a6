// One line above the canvas for what the person should know now: an error with the way out, a
// finding with what can be done, or a hint. Can be closed.
#pragma once

#include <QFrame>
#include <QList>

class QAction;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace strata::ui {

class NoticeBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { hint, warning, error };
    explicit NoticeBar(QWidget* parent = nullptr);
    // offers: what can be done, as buttons. Those that are the bar's children end with the notice.
    void show(Kind kind, const QString& text, const QList<QAction*>& offers = {});
    QString text() const;
    bool tellsError() const { return !isHidden() && m_kind == Kind::error; }
    QList<QAction*> offers() const { return isHidden() ? QList<QAction*>() : m_actions; }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void setOffers(const QList<QAction*>& offers);

    Kind m_kind = Kind::hint;
    QGridLayout* m_grid;
    QLabel* m_text;
    QWidget* m_row;  // of the buttons
    QHBoxLayout* m_buttons;
    QList<QAction*> m_actions;
    QToolButton* m_close;
};

}  // namespace strata::ui
