// The log of the session: what the engine and the window said, with the time. Newest at the bottom.
#pragma once

#include <QPlainTextEdit>

#include "engine/train/events.h"

namespace strata::ui {

class LogView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);
    void add(train::LogEvent::Level level, const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void toEnd();
    void retranslate();
};

}  // namespace strata::ui
