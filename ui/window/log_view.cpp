#include "ui/window/log_view.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextCharFormat>
#include <QTime>

#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int mostLines = 10000;

}  // namespace

LogView::LogView(QWidget* parent) : QPlainTextEdit(parent) {
    setReadOnly(true);
    setTabChangesFocus(true);
    setFrameShape(NoFrame);
    setMaximumBlockCount(mostLines);
    setUndoRedoEnabled(false);
    retranslate();
}

void LogView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QPlainTextEdit::changeEvent(event);
}

// Lines that came while it was hidden did not move what is seen.
void LogView::showEvent(QShowEvent* event) {
    QPlainTextEdit::showEvent(event);
    toEnd();
}

void LogView::resizeEvent(QResizeEvent* event) {
    const bool atEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
    QPlainTextEdit::resizeEvent(event);
    if (atEnd) toEnd();
}

void LogView::toEnd() {
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogView::retranslate() {
    setAccessibleName(tr("Log"));
    setToolTip(tr("What happened in this session, newest last"));
    setPlaceholderText(tr("Messages of the engine and the studio appear here."));
}

void LogView::add(train::LogEvent::Level level, const QString& text) {
    using Level = train::LogEvent::Level;
    const Colors& colors = Theme::instance().colors();
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    if (!document()->isEmpty()) cursor.insertBlock();
    QTextCharFormat time;
    time.setForeground(colors.secondary);
    cursor.insertText(QLocale().toString(QTime::currentTime(), "HH:mm:ss") + "  ", time);
    QTextCharFormat words;
    words.setForeground(level == Level::error     ? colors.bad
                        : level == Level::warning ? colors.warning
                                                  : colors.text);
    const QString prefix = level == Level::error     ? tr("Error: ")
                           : level == Level::warning ? tr("Warning: ")
                                                     : QString();
    cursor.insertText(prefix + text, words);
    moveCursor(QTextCursor::End);
}

}  // namespace strata::ui
