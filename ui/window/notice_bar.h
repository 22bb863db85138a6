// One line above the canvas for what the person should know now: an error with the way out, or a
// hint. Can be closed.
#pragma once

#include <QFrame>

class QAction;
class QLabel;
class QToolButton;

namespace strata::ui {

class NoticeBar : public QFrame {
    Q_OBJECT

public:
    enum class Kind { hint, error };
    // offered: what a notice may offer to do, as a button.
    explicit NoticeBar(QAction* offered, QWidget* parent = nullptr);
    void show(Kind kind, const QString& text, bool offer = false);
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();

    Kind m_kind = Kind::hint;
    QLabel* m_text;
    QToolButton *m_offer, *m_close;
};

}  // namespace strata::ui
